/** Bytes as a text of letters, digits, "-" and "_", without padding. */
export function encoded(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The bytes of such a text; undefined if it is none. */
export function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
      sign.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
