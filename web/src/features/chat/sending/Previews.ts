/** More would hold too much of a phone's memory. */
const PREVIEWS_MAX = 40;

/** A preview, and where the server has the picture; it can be replaced once its message is in the log. */
type Made = { address: string; served: string | undefined; isSettled: boolean };

/**
 * Addresses of one's own pictures on this device, shown instead of fetching them back. They hold the picture in
 * memory until they are revoked; from then on the message shows the server's.
 */
export class Previews {
  /** Oldest first. */
  private readonly made = new Map<string, Made>();
  private readonly serve: (id: string, address: string) => void;

  constructor(serve: (id: string, address: string) => void) {
    this.serve = serve;
  }

  of(id: string, picture: Blob): string {
    this.drop(id);
    const address = URL.createObjectURL(picture);
    this.made.set(id, { address, served: undefined, isSettled: false });
    return address;
  }

  /** The server has it at this address. */
  uploaded(id: string, served: string) {
    const made = this.made.get(id);
    if (made) made.served = served;
  }

  /** Its message is in the log. The oldest of too many make way. */
  settled(id: string, served: string) {
    const made = this.made.get(id);
    if (!made || made.isSettled) return;
    this.made.delete(id);
    this.made.set(id, { ...made, served, isSettled: true });
    const settled = [...this.made].filter(([, { isSettled }]) => isSettled);
    for (const [oldest] of settled.slice(0, -PREVIEWS_MAX)) this.replace(oldest);
  }

  drop(id: string) {
    const made = this.made.get(id);
    this.made.delete(id);
    if (made) URL.revokeObjectURL(made.address);
  }

  dropAll() {
    for (const id of [...this.made.keys()]) this.replace(id);
  }

  private replace(id: string) {
    const served = this.made.get(id)?.served;
    this.drop(id);
    if (served !== undefined) this.serve(id, served);
  }
}
