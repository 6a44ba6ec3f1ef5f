/** The value of a JSON text; undefined if it is not valid JSON, or not a string. */
export function parsed(json: unknown): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
