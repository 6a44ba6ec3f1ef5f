/** A note that begins a conversation, as it is sent: behind it stand its words once more, for its sender. */
export const withCopy = (note: string, copy: string) => `${note}.${copy}`;

/** The note, and the sender's copy if it begins a conversation. */
export function parted(message: string): { note: string; copy?: string } {
  const [note = "", copy] = message.split(".");
  return copy === undefined ? { note } : { note, copy };
}
