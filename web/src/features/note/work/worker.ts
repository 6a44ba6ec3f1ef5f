/// <reference lib="webworker" />
import { Search } from "./find";

/** So many take a few hundredths of a second: then the page hears how far it is. */
const AT_ONCE = 20_000;

self.onmessage = ({ data: { seed, bits } }: MessageEvent<{ seed: string; bits: number }>) => {
  const search = new Search(seed, bits);
  let nonce: string | undefined;
  while (nonce === undefined) {
    nonce = search.tryMore(AT_ONCE);
    self.postMessage({ nonce, tried: search.tried });
  }
};
