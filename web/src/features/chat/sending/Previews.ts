/** More would hold too much of a phone's memory. */
const PREVIEWS_MAX = 40;

type Made = { id: string; address: string };

/**
 * Addresses of one's own pictures on this device, shown instead of fetching them back. They hold the picture in
 * memory until they are revoked.
 */
export class Previews {
  private readonly make: (picture: Blob) => string;
  private readonly revoke: (address: string) => void;
  /** Oldest first; those the server has. */
  private replaceable: Made[] = [];
  private readonly made = new Map<string, string>();

  constructor(
    make = (picture: Blob) => URL.createObjectURL(picture),
    revoke = (address: string) => URL.revokeObjectURL(address),
  ) {
    this.make = make;
    this.revoke = revoke;
  }

  of(id: string, picture: Blob): string {
    const address = this.make(picture);
    this.made.set(id, address);
    return address;
  }

  /** The server has it. Gives back the messages whose preview had to go for it, so that they show the server's. */
  settled(id: string): string[] {
    const address = this.made.get(id);
    if (address === undefined || this.replaceable.some((made) => made.id === id)) return [];
    this.replaceable.push({ id, address });
    const over = this.replaceable.splice(0, Math.max(0, this.replaceable.length - PREVIEWS_MAX));
    for (const made of over) this.drop(made.id);
    return over.map((made) => made.id);
  }

  drop(id: string) {
    const address = this.made.get(id);
    this.made.delete(id);
    this.replaceable = this.replaceable.filter((made) => made.id !== id);
    if (address !== undefined) this.revoke(address);
  }

  /** Every message that has one; none has it any more. */
  dropAll(): string[] {
    const all = [...this.made.keys()];
    for (const id of all) this.drop(id);
    return all;
  }
}
