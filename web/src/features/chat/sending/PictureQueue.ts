import { ApiFailure, type Said } from "@/shared/api/client";
import { chatText } from "@/shared/text/chatText";
import { translated } from "@/shared/text/failureText";
import type { Delivery, Message, Picture, Quote } from "../model/chat";
import type { KeptPicture, KeptPictures } from "./keptPictures";
import type { Entry, OutboxWorld } from "./Outbox";
import { Previews } from "./Previews";
import type { Shrunk } from "./shrink";
import type { Upload } from "./upload";
import { type Uploaded, uploadBoth } from "./uploadBoth";

export type PictureWorld = OutboxWorld & {
  shrink: (file: Blob) => Promise<Shrunk>;
  upload: Upload;
  kept: KeptPictures;
  complain: (words: string) => void;
  previews?: Previews;
};

export type PictureCarrier = {
  /** The picture is shown, as something that is on its way. */
  queue: (picture: Omit<Entry, "picture"> & { picture: Picture }, delivery: Delivery) => void;
  /** Whether the message itself is on its way already; whether it has its place in the log. */
  isPosted: (id: string) => boolean;
  isSettled: (id: string) => boolean;
  /** Another tab of the same seat gave it up, or sends it. */
  gone: (id: string) => void;
  change: (id: string, change: Partial<Message>) => void;
  /** Its preview is gone; it is shown from this address. */
  serve: (id: string, address: string) => void;
  /** Both forms are with the server: now the message can be sent. */
  post: (entry: Entry) => void;
  /** What was written after a picture may be sent now. */
  goOn: () => void;
};

type Job = KeptPicture & {
  sent: Uploaded;
  abort: AbortController;
  state: "waiting" | "uploading" | "posted" | "failed" | "refused" | "given up";
  isKept: boolean;
  /** Whether it was uploaded anew by itself. */
  isAnew: boolean;
};

/** When success is said, after both uploads have finished, and for how long. */
const SUCCESS_AFTER_MS = 1000;
const SUCCESS_SHOWN_MS = 4000;

/** A browser whose database says nothing for so long holds up nobody. */
const LOADED_WITHIN_MS = 3000;

const STARTED: Delivery = { state: "uploading", percent: 0 };
const WAITING: Delivery = { state: "waiting" };

/**
 * Pictures on their way: shrunk one after the other, uploaded one after the other, in the order they were chosen. They
 * wait while the room isn't connected. Each is kept on the device until its message has its place in the log, and
 * sent on by the next page that opens the room.
 */
export class PictureQueue {
  private readonly world: PictureWorld;
  private readonly carrier: PictureCarrier;
  private readonly previews: Previews;
  private readonly jobs = new Map<string, Job>();
  private readonly served = new Map<string, string>();
  private shrinking: Promise<void> = Promise.resolve();
  private isOpen = false;
  private isConnected = false;
  private isForgotten = false;
  private isUploading = false;
  /** Whether it is known what was left. */
  private isLoaded = false;
  /** When those were chosen that are being shrunk. */
  private readonly chosenAt = new Set<number>();

  constructor(world: PictureWorld, carrier: PictureCarrier) {
    this.world = world;
    this.carrier = carrier;
    this.previews = world.previews ?? new Previews();
  }

  /** Goes on with what was left. */
  async open() {
    this.isOpen = true;
    this.isLoaded = false;
    const patience = this.world.later(() => this.loaded(), LOADED_WITHIN_MS);
    for (const kept of await this.world.kept.all()) {
      if (!this.isOpen || this.jobs.has(kept.id)) continue;
      if (this.carrier.isSettled(kept.id)) void this.world.kept.drop(kept.id);
      else if (this.carrier.isPosted(kept.id)) this.jobs.set(kept.id, jobOf(kept, "posted", true));
      else this.show(kept, true);
    }
    this.world.cancel(patience);
    this.loaded();
  }

  /** Whether one that was chosen before then is still to be uploaded. One that failed holds up nothing. */
  isAhead(then: number): boolean {
    const isComing = ({ state, at }: Job) => (state === "waiting" || state === "uploading") && at < then;
    return (
      !this.isLoaded || [...this.chosenAt].some((at) => at < then) || [...this.jobs.values()].some(isComing)
    );
  }

  add(id: string, file: Blob, caption: string, reply: Quote | null, at: number) {
    this.chosenAt.add(at);
    this.shrinking = this.shrinking.then(async () => {
      try {
        const shrunk = await this.world.shrink(file);
        if (this.isForgotten) return;
        const picture: KeptPicture = { id, caption, reply, at, shrunk, why: undefined };
        // Of a page that was left meanwhile it is kept all the same.
        if (this.isOpen) this.keep(this.show(picture, false));
        else void this.world.kept.keep(picture);
      } catch {
        this.world.complain(chatText.model.compression);
      } finally {
        this.chosenAt.delete(at);
        void this.uploadNext();
      }
    });
  }

  /** What failed is tried again; what has arrived of it isn't sent twice. */
  retry(id: string): boolean {
    const job = this.jobs.get(id);
    if (job?.state === "failed" || job?.state === "refused") {
      job.why = undefined;
      this.wait(job);
      void this.uploadNext();
    }
    return job !== undefined;
  }

  /** Whether the room can be reached now. What the server refused isn't tried again unasked. */
  connected(isConnected: boolean) {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const job of this.jobs.values()) {
      if (job.state === "waiting" || job.state === "failed") this.wait(job);
    }
    void this.uploadNext();
  }

  /**
   * Its message was refused. A picture that the server has no more is uploaded anew, by itself once; otherwise that
   * waits until somebody tries again. False when there is no copy of it to upload.
   */
  refused(id: string, why: Said): boolean {
    const job = this.jobs.get(id);
    if (job?.state !== "posted") return false;
    // One without a message is kept for minutes only.
    const isAnew = why.code === "picture_of_other_group" && !job.isAnew;
    this.previews.drop(id);
    const again = this.show({ ...job, why: isAnew ? undefined : translated(why) }, job.isKept);
    again.isAnew = isAnew;
    if (isAnew) void this.uploadNext();
    else this.keep(again);
    return true;
  }

  /** It is given up. */
  drop(id: string) {
    if (this.jobs.has(id)) void this.world.kept.drop(id);
    this.forsake(id);
  }

  /** Another tab of the same seat has dealt with it, and with what is kept. */
  forsake(id: string) {
    this.letGo(id);
    this.previews.drop(id);
  }

  /** The message is in the log, its picture at this address. */
  settled(id: string, address: string) {
    if (this.jobs.has(id)) {
      void this.world.kept.drop(id);
      this.letGo(id);
      this.served.set(id, address);
    }
    for (const over of this.previews.settled(id)) this.showServed(over);
  }

  /** Nobody looks any more. What is kept stays for the next time. */
  close() {
    this.isOpen = false;
    for (const { id, state } of [...this.jobs.values()]) {
      // What is posted is shown without us.
      if (state === "posted") this.jobs.delete(id);
      else this.forsake(id);
    }
    for (const id of this.previews.dropAll()) this.showServed(id);
  }

  /** There is no next time. */
  forget() {
    this.isForgotten = true;
    this.close();
    void this.world.kept.forget();
  }

  private loaded() {
    this.isLoaded = true;
    void this.uploadNext();
  }

  private show(kept: KeptPicture, isKept: boolean): Job {
    const { id, caption, reply, at, shrunk, why } = kept;
    const job = jobOf(kept, why === undefined ? "waiting" : "refused", isKept);
    this.jobs.set(id, job);
    const { width, height } = shrunk;
    const format = shrunk.full.type;
    const picture = { full: this.previews.of(id, shrunk.full), tiny: null, width, height, format };
    const delivery: Delivery = why === undefined ? this.pending : { state: "failed", why };
    this.carrier.queue({ id, words: caption, picture, reply, at }, delivery);
    return job;
  }

  /** How a picture is shown whose turn is still to come. */
  private get pending(): Delivery {
    return this.isConnected ? STARTED : WAITING;
  }

  private wait(job: Job) {
    job.state = "waiting";
    this.carrier.change(job.id, { delivery: this.pending });
  }

  private keep(job: Job) {
    const { id, caption, reply, at, shrunk, why } = job;
    void this.world.kept.keep({ id, caption, reply, at, shrunk, why }).then((isKept) => {
      job.isKept = isKept;
    });
  }

  private letGo(id: string) {
    const job = this.jobs.get(id);
    if (job) job.state = "given up";
    job?.abort.abort();
    this.jobs.delete(id);
    this.carrier.goOn();
  }

  private async uploadNext(): Promise<void> {
    this.carrier.goOn();
    const job = [...this.jobs.values()].find(({ state }) => state === "waiting");
    if (!job || this.isUploading || !this.isConnected) return;
    this.isUploading = true;
    job.state = "uploading";
    const failure = await uploadBoth(job.shrunk, job.sent, this.world.upload, job.abort.signal, (percent) => {
      if (job.state === "uploading")
        this.carrier.change(job.id, { delivery: { state: "uploading", percent } });
    });
    const isThere = !job.isKept || (await this.world.kept.has(job.id));
    this.isUploading = false;
    if (this.jobs.get(job.id) === job) this.finish(job, failure, isThere);
    void this.uploadNext();
  }

  private finish(job: Job, failure: unknown, isThere: boolean) {
    const { id, caption, reply, at, shrunk } = job;
    const { full, tiny } = job.sent;
    if (!isThere) {
      this.drop(id);
      this.carrier.gone(id);
      return;
    }
    if (full !== undefined && tiny !== undefined) {
      job.state = "posted";
      this.served.set(id, full);
      this.carrier.change(id, { delivery: { state: "sending" } });
      const { width, height } = shrunk;
      this.carrier.post({ id, words: caption, picture: { full, tiny, width, height }, reply, at });
      this.saySuccess(id);
      return;
    }
    const refusal = failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500;
    if (!refusal && !this.isConnected) {
      this.wait(job);
      return;
    }
    job.state = refusal ? "refused" : "failed";
    const added = refusal && failure.message !== "" ? `: ${translated(failure.said)}` : "";
    const why = `${chatText.model.uploadFailed}${added}`;
    if (refusal) {
      job.why = why;
      this.keep(job);
    }
    this.carrier.change(id, { delivery: { state: "failed", why } });
    this.world.complain(chatText.model.pictureNotSent);
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

function jobOf(
  { id, caption, reply, at, shrunk, why }: KeptPicture,
  state: Job["state"],
  isKept: boolean,
): Job {
  const abort = new AbortController();
  return { id, caption, reply, at, shrunk, why, sent: {}, abort, state, isKept, isAnew: false };
}
