/** Counted as the server counts: characters, not their halves. */
export function characters(text: string): number {
  return Array.from(text).length;
}
