import { ApiFailure } from "@/shared/api/client";
import { chatText } from "@/shared/text/chatText";
import type { Delivery, Message, Picture, Quote } from "./chat";
import type { Entry, OutboxWorld } from "./Outbox";
import { Previews } from "./Previews";
import type { Shrunk } from "./shrink";
import type { Progress } from "./upload";
import { said } from "./words";

export type PictureWorld = OutboxWorld & {
  shrink: (file: Blob) => Promise<Shrunk>;
  upload: (picture: Blob, onProgress: Progress, signal: AbortSignal) => Promise<string>;
  complain: (words: string) => void;
  previews?: Previews;
};

export type PictureCarrier = {
  /** The picture is shown, as something that is on its way. */
  queue: (id: string, caption: string, picture: Picture, reply: Quote | null, delivery: Delivery) => void;
  change: (id: string, change: Partial<Message>) => void;
  /** Its preview is gone; it is shown from this address. */
  serve: (id: string, address: string) => void;
  /** Both forms are with the server: now the message can be sent. */
  post: (entry: Entry) => void;
};

type Form = "full" | "tiny";

type Job = {
  id: string;
  caption: string;
  reply: Quote | null;
  shrunk: Shrunk;
  at: number;
  sent: Partial<Record<Form, string>>;
  abort: AbortController;
  state: "waiting" | "uploading" | "failed" | "refused" | "given up";
};

/** When success is said, after both uploads have finished, and for how long. */
const SUCCESS_AFTER_MS = 1000;
const SUCCESS_SHOWN_MS = 4000;

/** Pictures on their way: shrunk one after the other, uploaded one after the other, in the order they were chosen. */
export class PictureQueue {
  private readonly world: PictureWorld;
  private readonly carrier: PictureCarrier;
  private readonly previews: Previews;
  private readonly jobs = new Map<string, Job>();
  private readonly served = new Map<string, string>();
  private shrinking: Promise<void> = Promise.resolve();
  private isUploading = false;

  constructor(world: PictureWorld, carrier: PictureCarrier) {
    this.world = world;
    this.carrier = carrier;
    this.previews = world.previews ?? new Previews();
  }

  add(id: string, file: Blob, caption: string, reply: Quote | null) {
    const at = this.world.now();
    this.shrinking = this.shrinking.then(async () => {
      try {
        const shrunk = await this.world.shrink(file);
        const { width, height } = shrunk;
        const picture = { full: this.previews.of(id, shrunk.full), tiny: null, width, height };
        const abort = new AbortController();
        this.jobs.set(id, { id, caption, reply, shrunk, at, sent: {}, abort, state: "waiting" });
        this.carrier.queue(id, caption, picture, reply, { state: "uploading", percent: 0 });
        void this.uploadNext();
      } catch {
        this.world.complain(chatText.model.compression);
      }
    });
  }

  /** What failed is tried again; what has arrived of it isn't sent twice. */
  retry(id: string): boolean {
    const job = this.jobs.get(id);
    if (job?.state === "failed" || job?.state === "refused") {
      job.state = "waiting";
      this.carrier.change(id, { delivery: { state: "uploading", percent: 0 } });
      void this.uploadNext();
    }
    return job !== undefined;
  }

  /** The network is back. What the server refused isn't tried again unasked. */
  retryAll() {
    for (const job of this.jobs.values()) if (job.state === "failed") this.retry(job.id);
  }

  drop(id: string) {
    const job = this.jobs.get(id);
    if (job) job.state = "given up";
    job?.abort.abort();
    this.jobs.delete(id);
    this.previews.drop(id);
  }

  /** The message is in the log. */
  settled(id: string) {
    for (const over of this.previews.settled(id)) this.showServed(over);
  }

  /** Nobody looks any more. */
  dropAll() {
    for (const id of [...this.jobs.keys()]) this.drop(id);
    for (const id of this.previews.dropAll()) this.showServed(id);
  }

  private async uploadNext(): Promise<void> {
    const job = [...this.jobs.values()].find(({ state }) => state === "waiting");
    if (!job || this.isUploading) return;
    this.isUploading = true;
    job.state = "uploading";
    const failure = await this.uploadBoth(job);
    this.isUploading = false;
    if (this.jobs.get(job.id) === job) this.finish(job, failure);
    void this.uploadNext();
  }

  private finish(job: Job, failure: unknown) {
    const { id, caption, reply, at, shrunk } = job;
    const { full, tiny } = job.sent;
    if (full !== undefined && tiny !== undefined) {
      this.jobs.delete(id);
      this.served.set(id, full);
      this.carrier.change(id, { delivery: { state: "sending" } });
      const { width, height } = shrunk;
      this.carrier.post({ id, words: caption, picture: { full, tiny, width, height }, reply, at });
      this.saySuccess(id);
      return;
    }
    const refusal = failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500;
    job.state = refusal ? "refused" : "failed";
    const why = refusal && failure.message !== "" ? `: ${said(failure.message)}` : "";
    this.carrier.change(id, {
      delivery: { state: "failed", why: `${chatText.model.uploadFailed}${why}` },
    });
    this.world.complain(chatText.model.pictureNotSent);
  }

  /** Why it didn't work, if it didn't. What has arrived stays arrived. */
  private async uploadBoth(job: Job): Promise<unknown> {
    const { full, tiny } = job.shrunk;
    const bytes = { full: full.size, tiny: tiny.size };
    const gone = { full: job.sent.full ? bytes.full : 0, tiny: job.sent.tiny ? bytes.tiny : 0 };
    let shown = 0;
    const show = () => {
      // The last percent is the server's answer.
      const percent = Math.min(99, Math.floor((100 * (gone.full + gone.tiny)) / (bytes.full + bytes.tiny)));
      if (percent === shown || job.state !== "uploading") return;
      shown = percent;
      this.carrier.change(job.id, { delivery: { state: "uploading", percent } });
    };
    const one = async (form: Form) => {
      if (job.sent[form] !== undefined) return;
      const onProgress: Progress = (sent, total) => {
        if (total > 0) gone[form] = (bytes[form] * sent) / total;
        show();
      };
      job.sent[form] = await this.world.upload(job.shrunk[form], onProgress, job.abort.signal);
    };
    const results = await Promise.allSettled([one("full"), one("tiny")]);
    return results.find((result) => result.status === "rejected")?.reason;
  }

  private saySuccess(id: string) {
    this.world.later(() => {
      this.carrier.change(id, { uploaded: true });
      this.world.later(() => this.carrier.change(id, { uploaded: undefined }), SUCCESS_SHOWN_MS);
    }, SUCCESS_AFTER_MS);
  }

  private showServed(id: string) {
    const full = this.served.get(id);
    if (full !== undefined) this.carrier.serve(id, full);
  }
}
