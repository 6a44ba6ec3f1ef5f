import { DeviceFailure } from "@/shared/text/failureText";
import { workText } from "@/shared/text/workText";
import { workerAddress } from "@/shared/workerAddress";
import address from "./worker.ts?worker&url";

/** What an inbox asks for of a sender that it doesn't know. */
export type Asked = { seed: string; bits: number };
export type Done = { seed: string; nonce: string };
/** How far it is: the share that is probably done, and about how many seconds it still takes. */
export type Progress = { share: number; seconds: number };

/** Work that takes no longer is not mentioned. */
const QUIET_MS = 300;

/**
 * Does the work beside the page. `onProgress` hears of it as soon as it takes a while. It is a matter of luck how long it
 * takes, so the share is how probable it was to be done by now.
 */
export function doWork(
  { seed, bits }: Asked,
  stopped: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Done> {
  const worker = new Worker(workerAddress(address), { type: "module" });
  const begun = performance.now();
  const expected = 2 ** bits;
  const found = new Promise<Done>((resolve, reject) => {
    worker.onerror = () => reject(new DeviceFailure(workText.failed));
    stopped.addEventListener("abort", () => reject(new DeviceFailure(workText.stopped)));
    worker.onmessage = ({ data: { nonce, tried } }: MessageEvent<{ nonce?: string; tried: number }>) => {
      if (nonce !== undefined) return resolve({ seed, nonce });
      const passed = performance.now() - begun;
      if (passed < QUIET_MS) return;
      onProgress({ share: 1 - Math.exp(-tried / expected), seconds: (expected * passed) / tried / 1000 });
    };
    worker.postMessage({ seed, bits });
  });
  return found.finally(() => worker.terminate());
}
