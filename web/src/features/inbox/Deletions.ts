import { api } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { PROMISED } from "@/shared/session/inboxOnDevice";
import { deviceStorage } from "@/shared/storage";

/** How long a deletion can be undone. */
const UNDO_MS = 10_000;

/** `undoable` for a while; then the note is hidden until the server has deleted it. */
export type Deletion = "undoable" | "promised";

type Listener = {
  changed: (id: string, to: Deletion | undefined) => void;
  /** The server no longer has the note. It gives the unread count, unless the note was gone before. */
  deleted: (id: string, unread: number | undefined) => void;
  failed: (failure: unknown) => void;
};

/**
 * Deletes notes so that it can be undone for a while: only then, or when the page is left, the call goes out. The
 * device stores each promise until the server has kept it, so that a failed call is made again, also after a reload or
 * the next sign-in.
 */
export class Deletions {
  private readonly token: string;
  private readonly prefix: string;
  private readonly listener: Listener;
  /** The notes whose deletion can be undone in this window, each with its timer. */
  private readonly undoable = new Map<string, number>();
  /** Timers for deletions that can be undone in another window. */
  private readonly elsewhere = new Set<number>();
  private readonly underWay = new Set<string>();

  constructor(token: string, username: string, listener: Listener) {
    this.token = token;
    this.prefix = `${PROMISED}${username}.`;
    this.listener = listener;
  }

  promise(id: string) {
    deviceStorage.setItem(this.prefix + id, String(Date.now() + UNDO_MS));
    this.undoable.set(
      id,
      window.setTimeout(() => void this.send(id), UNDO_MS),
    );
    this.listener.changed(id, "undoable");
  }

  undo(id: string) {
    if (!this.undoable.has(id)) return;
    this.forget(id);
    this.listener.changed(id, undefined);
  }

  /** Makes the calls for all that is due, and plans those that another window may still undo. */
  resume() {
    for (const id of this.promised()) {
      if (this.undoable.has(id) || this.underWay.has(id)) continue;
      const wait = Number(deviceStorage.getItem(this.prefix + id)) - Date.now();
      if (wait <= 0) {
        void this.send(id);
      } else {
        this.listener.changed(id, "promised");
        // A clock that was set back must not delay it for longer than that.
        this.elsewhere.add(window.setTimeout(() => void this.send(id), Math.min(wait, UNDO_MS)));
      }
    }
  }

  /** The page is left: nothing can be undone in it any more. */
  finish() {
    for (const id of this.undoable.keys()) void this.send(id);
    for (const timer of this.elsewhere) window.clearTimeout(timer);
    this.elsewhere.clear();
  }

  /** All notes have been deleted in another way. */
  forgetAll() {
    for (const id of this.promised()) {
      this.forget(id);
      this.listener.changed(id, undefined);
    }
  }

  private promised(): string[] {
    const keys = deviceStorage.keys().filter((key) => key.startsWith(this.prefix));
    return [...new Set([...this.undoable.keys(), ...keys.map((key) => key.slice(this.prefix.length))])];
  }

  private forget(id: string) {
    window.clearTimeout(this.undoable.get(id));
    this.undoable.delete(id);
    deviceStorage.removeItem(this.prefix + id);
  }

  private async send(id: string) {
    if (this.underWay.has(id)) return;
    window.clearTimeout(this.undoable.get(id));
    this.undoable.delete(id);
    // Another window has undone it, or has had the note deleted.
    if (deviceStorage.getItem(this.prefix + id) === null) return this.listener.changed(id, undefined);
    this.listener.changed(id, "promised");
    this.underWay.add(id);
    try {
      const options = { params: { id }, token: this.token, keepalive: true };
      const { message } = await api("delete", "/api/message/{id}", options);
      this.forget(id);
      this.listener.deleted(id, message);
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.refusal.code === "no_such_note") {
        this.forget(id);
        this.listener.deleted(id, undefined);
      } else {
        this.listener.failed(failure);
      }
    } finally {
      this.underWay.delete(id);
    }
  }
}
