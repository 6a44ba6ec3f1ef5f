import { decoded, encoded } from "@/shared/base64url";
import { Block } from "./sha256";

const NONCE_BYTES = 8;

/** Looks for a nonce with which SHA-256(seed ‖ nonce) begins with so many zero bits. */
export class Search {
  private readonly block: Block;
  private readonly at: number;
  private readonly bits: number;
  tried = 0;

  constructor(seed: string, bits: number) {
    const bytes = decoded(seed) ?? new Uint8Array();
    const text = new Uint8Array(bytes.length + NONCE_BYTES);
    text.set(bytes);
    this.block = new Block(text);
    this.at = bytes.length;
    this.bits = bits;
  }

  /** Tries so many more. Gives the nonce if one of them is good. */
  tryMore(count: number): string | undefined {
    for (const end = this.tried + count; this.tried < end; ) {
      this.block.setUint32(this.at + 4, this.tried);
      this.tried += 1;
      const digest = this.block.digest();
      const first = digest[0] ?? 0;
      const zeros = first === 0 ? 32 + Math.clz32(digest[1] ?? 0) : Math.clz32(first);
      if (zeros >= this.bits) return this.nonce(this.tried - 1);
    }
    return undefined;
  }

  private nonce(tried: number): string {
    const nonce = new DataView(new ArrayBuffer(NONCE_BYTES));
    nonce.setUint32(4, tried);
    return encoded(new Uint8Array(nonce.buffer));
  }
}
