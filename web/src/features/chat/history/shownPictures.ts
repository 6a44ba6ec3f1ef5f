import { seatHeaders } from "../connection/ask";

/** More would take too much of a phone's memory. Most of the server's pictures have about 100 KB. */
const HELD_BYTES = 32 * 1024 * 1024;

type ShownPicture = { shown: string; bytes: number; format: string };

/**
 * Keeps a group's pictures in memory while its page is open, so that none is fetched twice. The server forbids browsers
 * to keep them on disk, where they would still be after the message, the seat or the group is gone.
 */
export class ShownPictures {
  /** The one shown longest ago comes first. */
  private readonly held = new Map<string, ShownPicture>();
  private readonly coming = new Map<string, Promise<string>>();
  private bytes = 0;
  /** In a sealed group: opens the bytes that the server has at this address. */
  opens: ((address: string, sealed: Blob) => Promise<Blob>) | undefined;

  /** What an image can show immediately: a picture that is being sent, or one that was shown before. */
  now(address: string): string | undefined {
    if (/^(blob|data):/.test(address)) return address;
    const held = this.held.get(address);
    if (!held) return undefined;
    this.held.delete(address);
    this.held.set(address, held);
    return held.shown;
  }

  /** As `now`, but fetches the picture if it is not there. Several callers share one request. */
  async of(address: string): Promise<string> {
    const now = this.now(address);
    if (now !== undefined) return now;
    const coming = this.coming.get(address) ?? this.fetched(address);
    this.coming.set(address, coming);
    return coming;
  }

  /** Puts a picture of the visitor's own under the server's address, so that it is not fetched. */
  keep(address: string, { size, type }: Blob, shown: string) {
    this.forget([address]);
    this.hold(address, { shown, bytes: size, format: type });
  }

  /** For a picture of the visitor's own, the format of the chosen file. */
  formatOf(address: string): string | undefined {
    return this.held.get(address)?.format;
  }

  /** Drops pictures, for example when their messages were taken back. */
  forget(addresses: Iterable<string>) {
    for (const address of addresses) {
      this.coming.delete(address);
      const held = this.held.get(address);
      if (!held) continue;
      this.held.delete(address);
      this.bytes -= held.bytes;
      URL.revokeObjectURL(held.shown);
    }
  }

  forgetAll() {
    this.forget([...this.coming.keys(), ...this.held.keys()]);
  }

  private async fetched(address: string): Promise<string> {
    try {
      const headers = seatHeaders();
      const response = await fetch(address, { credentials: "same-origin", headers, priority: "low" });
      if (!response.ok) throw new Error(`no picture: ${response.status}`);
      const fetched = await response.blob();
      const picture = address.includes("#") && this.opens ? await this.opens(address, fetched) : fetched;
      const shown = URL.createObjectURL(picture);
      // Taken back in the meantime: nobody shows it.
      if (!this.coming.has(address)) URL.revokeObjectURL(shown);
      else this.hold(address, { shown, bytes: picture.size, format: picture.type });
      return shown;
    } finally {
      this.coming.delete(address);
    }
  }

  private hold(address: string, held: ShownPicture) {
    this.held.set(address, held);
    this.bytes += held.bytes;
    for (const oldest of this.held.keys()) {
      if (this.bytes <= HELD_BYTES || oldest === address) return;
      this.forget([oldest]);
    }
  }
}

export const shownPictures = new ShownPictures();
