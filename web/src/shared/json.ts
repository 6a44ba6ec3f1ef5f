/** What JSON says: undefined where it is none, or isn't even text. */
export function parsed(json: unknown): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
