/** SHA-256 of texts that fit into one block. The browser's own takes much longer for each, as it answers later. */

const MOST_BYTES = 55;

/**
 * The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. Words are signed:
 * others would be floating-point numbers to the engine.
 */
const [ROUNDS, START] = constants();

function constants(): [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return [
    Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ];
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** A block that has the bytes, and how its digest is made. The last bytes can be changed between two digests. */
export class Block {
  private readonly words = new Int32Array(64);
  private readonly state = new Int32Array(8);
  private readonly bytes = new DataView(new ArrayBuffer(64));

  constructor(text: Uint8Array) {
    if (text.length > MOST_BYTES) throw new RangeError("it has more than one block");
    text.forEach((byte, at) => {
      this.bytes.setUint8(at, byte);
    });
    this.bytes.setUint8(text.length, 0x80);
    this.bytes.setUint32(60, text.length * 8);
  }

  setUint32(at: number, value: number) {
    this.bytes.setUint32(at, value);
  }

  /** The digest, as eight words. The next call changes them. */
  digest(): Int32Array {
    const { words, state } = this;
    for (let n = 0; n < 16; n++) words[n] = this.bytes.getInt32(n * 4);
    for (let n = 16; n < 64; n++) {
      const early = words[n - 15] ?? 0;
      const late = words[n - 2] ?? 0;
      const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[n] = ((words[n - 16] ?? 0) + one + (words[n - 7] ?? 0) + two) | 0;
    }
    // Arrays that are taken apart, or made, would take longer than the digest does.
    let a = START[0] ?? 0;
    let b = START[1] ?? 0;
    let c = START[2] ?? 0;
    let d = START[3] ?? 0;
    let e = START[4] ?? 0;
    let f = START[5] ?? 0;
    let g = START[6] ?? 0;
    let h = START[7] ?? 0;
    for (let n = 0; n < 64; n++) {
      const one = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const first = (h + one + ((e & f) ^ (~e & g)) + (ROUNDS[n] ?? 0) + (words[n] ?? 0)) | 0;
      const two = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const second = (two + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    state[0] = (START[0] ?? 0) + a;
    state[1] = (START[1] ?? 0) + b;
    state[2] = (START[2] ?? 0) + c;
    state[3] = (START[3] ?? 0) + d;
    state[4] = (START[4] ?? 0) + e;
    state[5] = (START[5] ?? 0) + f;
    state[6] = (START[6] ?? 0) + g;
    state[7] = (START[7] ?? 0) + h;
    return state;
  }
}
