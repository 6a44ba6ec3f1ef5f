import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, isSignedOut, isTrouble } from "@/shared/api/client";
import { INBOX_PAGE } from "@/shared/contract/limits";
import { LiveSocket, socketAddress } from "@/shared/live/LiveSocket";
import { showError, showNotice } from "@/shared/notices";
import { learnSeal } from "@/shared/session/ownSeal";
import { appText } from "@/shared/text/appText";
import { inboxText } from "@/shared/text/inboxText";
import { Deletions } from "./Deletions";
import {
  emptyInbox,
  type Flags,
  type Note,
  type Shelf,
  unreadOf,
  useInbox,
  withAnswer,
  withArrived,
  withDeletion,
  withFlags,
  withNewest,
  withOlder,
  without,
  withSeen,
  withSettings,
} from "./inboxStore";
import { InboxKeeper, readKeptInbox } from "./keptInbox";

type InboxFrame = Partial<Schemas["InboxFrame"]>;

/** How often the socket is checked while the page is visible. */
const ASKS_EVERY_MS = 45_000;
/** If the server takes longer to answer, what the device has kept is shown. */
const PATIENCE_MS = 3000;
/** When its page was out of sight for so long, the owner counts as away: other browsers tell of what comes. */
const AWAY_AFTER_MS = 3 * 60_000;
/** A frame that the server answers, to check the socket. */
const QUESTION = { event: "event.connect" };

type Options = {
  token: string;
  username: string;
  /** Gets the failure of a refused call, or nothing if the socket was closed for good. */
  onRefused: (failure?: ApiFailure) => void;
  /** Whether the inbox is on the screen. Then a new note is shown there, and no notice covers it. */
  isShown: () => boolean;
  /** What else the socket is for: it is told when the socket is ready, and gets all frames. */
  listener?: { ready: () => void; receive: (frame: object) => void };
};

/** What asks for a page of a shelf. */
const ofShelf = (shelf: Shelf) => ({
  limit: INBOX_PAGE,
  ...(shelf === "starred" && { starred: true }),
  ...(shelf === "archive" && { archived: true }),
});

/** Keeps the inbox store up to date: fetches pages, listens to the socket, and marks and deletes notes. */
export class InboxFeed {
  private readonly token: string;
  private readonly username: string;
  private readonly onRefused: Options["onRefused"];
  private readonly isShown: Options["isShown"];
  private readonly listener: Options["listener"];
  private readonly socket: LiveSocket;
  private readonly deletions: Deletions;
  private stopped = false;
  private asking: number | undefined;
  private waiting: number | undefined;
  private unsubscribe = () => {};
  /** Whether the server accepted the last socket. */
  private wasLetIn = false;
  /** Set while a call marks all notes as read: until its answer, counts from the server are older than the screen. */
  private isMarkingAll = false;
  /** The notes that were archived here, or taken out of the archive, and where they were: until that is undone. */
  private readonly moved = new Map<string, { note: Note; at: number }>();
  /** Since when the page is out of sight, and whether the server was told that its owner is away. */
  private hiddenSince: number | undefined;
  private saidAway = false;
  /** How many notes the socket has announced. */
  private arrived = 0;

  constructor({ token, username, onRefused, isShown, listener }: Options) {
    this.token = token;
    this.username = username;
    this.onRefused = onRefused;
    this.listener = listener;
    this.isShown = isShown;
    this.deletions = new Deletions(token, username, {
      changed: (id, to) => this.update((inbox) => withDeletion(inbox, id, to)),
      deleted: (id, unread) => this.update((inbox) => without(inbox, id, unread ?? inbox.unread)),
      failed: (failure) => this.notDeleted(failure),
    });
    this.socket = new LiveSocket(socketAddress("/api/inbox/socket"), ["bearer", token], {
      opened: () => {
        this.wasLetIn = true;
        this.saidAway = false;
      },
      frame: (frame) => this.receive(frame as InboxFrame),
      lost: () => this.lost(),
      ended: () => this.onRefused(),
    });
  }

  start() {
    this.stopped = false;
    useInbox.setState(emptyInbox, true);
    this.deletions.resume();
    const keeper = new InboxKeeper(this.token, this.username);
    this.unsubscribe = useInbox.subscribe((inbox, before) => this.stopped || keeper.keep(inbox, before));
    this.socket.start();
    void this.refetch();
    this.waiting = window.setTimeout(() => void this.showKept(), PATIENCE_MS);
    void this.learnSettings();
    window.addEventListener("online", this.wake);
    window.addEventListener("offline", this.sleep);
    document.addEventListener("visibilitychange", this.check);
    window.addEventListener("pagehide", this.leave);
    this.asking = window.setInterval(this.check, ASKS_EVERY_MS);
  }

  stop() {
    this.leave();
    this.stopped = true;
    this.unsubscribe();
    this.socket.stop();
    window.removeEventListener("online", this.wake);
    window.removeEventListener("offline", this.sleep);
    document.removeEventListener("visibilitychange", this.check);
    window.removeEventListener("pagehide", this.leave);
    window.clearInterval(this.asking);
    window.clearTimeout(this.waiting);
    useInbox.setState(emptyInbox, true);
  }

  /** Fetches the newest page. If that fails the shown list stays, unless the sign-in has ended. */
  async refetch() {
    try {
      await this.fetchNewest();
    } catch (failure) {
      const { status } = failure as ApiFailure;
      if (isTrouble(failure)) await this.showKept();
      const isShown = useInbox.getState().status !== "loading";
      if (this.stopped || (isShown && status >= 500)) return;
      if (failure instanceof ApiFailure && status !== 0) this.onRefused(failure);
      else useInbox.setState({ status: "offline" });
    }
  }

  /** Until the server has answered, shows what the device has kept. */
  private async showKept() {
    const isLoading = () => useInbox.getState().status === "loading";
    if (!isLoading()) return;
    const kept = await readKeptInbox(this.username).catch(() => undefined);
    const { shelf } = useInbox.getState();
    if (!kept || !isLoading()) return;
    // Of the other shelves it has what is in the inbox, too.
    const notes =
      shelf === "inbox" ? kept.notes : kept.notes.filter(({ starred }) => starred && shelf === "starred");
    this.update((inbox) => ({ ...inbox, ...kept, notes, status: "offline" }));
  }

  async loadOlder() {
    const { notes, shelf } = useInbox.getState();
    const before = notes.at(-1)?.id;
    if (before === undefined) return;
    const query = { ...ofShelf(shelf), before };
    const { data } = await api("get", "/api/messages", { query, token: this.token });
    this.update((inbox) => (inbox.shelf === shelf ? withOlder(inbox, data, INBOX_PAGE) : inbox));
  }

  /** Lists the notes of another shelf. */
  async show(shelf: Shelf) {
    if (useInbox.getState().shelf === shelf) return;
    this.update((inbox) => ({ ...inbox, shelf, notes: [], hasOlder: false, status: "loading" }));
    await this.refetch();
  }

  /** Gives a note a star, or takes it. If the call fails, the next fetch shows it as before. */
  async star(id: string, starred: boolean) {
    await this.flag(id, { starred });
  }

  /** Archives a note, or takes it out of the archive. */
  async archive(id: string, archived: boolean) {
    await this.flag(id, { archived });
  }

  private async flag(id: string, flags: Flags) {
    const { notes } = useInbox.getState();
    const at = notes.findIndex((note) => note.id === id);
    const there = notes[at];
    const known = there ? { note: there, at } : this.moved.get(id);
    if (known) {
      const { note } = known;
      const { starred = note.starred, archived = note.archived } = flags;
      const all: Flags = { ...(starred && { starred }), ...(archived && { archived }) };
      const isRead = archived && !note.seen;
      this.moved.set(id, known);
      this.update((inbox) => ({
        ...withFlags(inbox, note, all, known.at),
        unread: inbox.unread - (isRead ? 1 : 0),
      }));
    }
    try {
      const call = { params: { id }, json: flags, token: this.token };
      const { message } = await api("patch", "/api/message/{id}", call);
      this.update((inbox) => ({ ...inbox, unread: message }));
    } catch (failure) {
      void this.refetch();
      throw failure;
    }
  }

  /**
   * Shows the note as read immediately. If the call fails, the next fetch shows it as unread again. Without a server it
   * stays unread.
   */
  async markSeen(id: string) {
    const { notes, status } = useInbox.getState();
    if (status === "offline" || notes.find((note) => note.id === id)?.seen !== false) return;
    this.update((inbox) => withSeen(inbox, id));
    const { message } = await api("get", "/api/mark_as_seen/{id}", { params: { id }, token: this.token });
    if (!this.isMarkingAll) this.update((inbox) => ({ ...inbox, unread: message }));
  }

  /** Also marks notes that are not shown yet, and fetches them first. */
  async markAllSeen() {
    this.isMarkingAll = true;
    try {
      let isMore: boolean;
      do {
        await Promise.all(useInbox.getState().notes.map(({ id }) => this.markSeen(id)));
        const { unread, hasOlder } = useInbox.getState();
        isMore = unread > 0 && hasOlder && !this.stopped;
        if (isMore) await this.loadOlder();
      } while (isMore);
    } finally {
      this.isMarkingAll = false;
      void this.refetch();
    }
  }

  /** Answers a note in public, or words its answer anew. The server doesn't know the words of a sealed note. */
  async publish(id: string, answer: string, note?: string) {
    const { data } = await api("put", "/api/message/{id}/answer", {
      params: { id },
      json: { answer, ...(note !== undefined && { note }) },
      token: this.token,
    });
    this.update((inbox) => withAnswer(inbox, id, data));
  }

  /** The note stays, and what was published of it goes. */
  async takeDown(id: string) {
    await api("delete", "/api/message/{id}/answer", { params: { id }, token: this.token });
    this.update((inbox) => withAnswer(inbox, id, undefined));
  }

  /** Deletes a note as soon as that can no longer be undone. */
  remove(id: string) {
    this.deletions.promise(id);
  }

  undoRemoval(id: string) {
    this.deletions.undo(id);
  }

  /** Blocks whoever sent a note. Nothing tells which other notes are theirs. */
  async block(id: string) {
    await api("post", "/api/message/{id}/block", { params: { id }, token: this.token });
  }

  /** Deletes all notes, also those that are not delivered yet. */
  async removeAll() {
    const { message } = await api("delete", "/api/messages", { token: this.token });
    this.deletions.forgetAll();
    this.update((inbox) => withNewest(inbox, [], message, INBOX_PAGE));
  }

  private receive(frame: InboxFrame) {
    const { event, unread = 0, note, reload = false } = frame;
    const { live, status } = useInbox.getState();
    this.listener?.receive(frame);
    if (status === "ready") useInbox.setState({ asOf: Date.now() });
    // During a pause there are no sockets.
    if (event === "event.ready") delete document.documentElement.dataset.paused;
    if (event === "event.ready" && (!live || status === "offline")) {
      useInbox.setState({ live: true });
      this.deletions.resume();
      void this.refetch();
      this.listener?.ready();
    } else if (event === "event.inbox" && note) {
      this.arrived += 1;
      this.update((inbox) => withArrived(inbox, note, unread));
      this.tell(inboxText.arrived);
    } else if (
      event === "event.inbox" &&
      (reload || (unread !== useInbox.getState().unread && !this.isMarkingAll))
    ) {
      // Notes were read or deleted on another device, or a batch was delivered.
      if (reload && unread > useInbox.getState().unread) this.tell(inboxText.batchArrived, unread);
      void this.refetch();
      if (reload) void this.learnSettings();
    }
  }

  /** Asks what the owner has set. If that fails, what was known stays. */
  private async learnSettings() {
    void learnSeal(this.username);
    const settings = await api("get", "/api/inbox", { token: this.token }).catch(() => undefined);
    this.update((inbox) => withSettings(inbox, settings));
  }

  /** If the socket announces a note while a page is fetched, the page may be without it, and is fetched again. */
  private async fetchNewest() {
    const { shelf } = useInbox.getState();
    let arrived: number;
    do {
      arrived = this.arrived;
      const { message, data } = await api("get", "/api/messages", {
        query: ofShelf(shelf),
        token: this.token,
      });
      if (useInbox.getState().shelf !== shelf) return;
      this.update((inbox) => withNewest(inbox, data, message, INBOX_PAGE));
    } while (arrived !== this.arrived && !this.stopped);
  }

  /** Where the inbox is shown, screen readers read it out, and nothing else is needed. */
  private tell(news: string, unread = unreadOf(useInbox.getState())) {
    if (this.isShown()) useInbox.setState({ news: `${news}. ${appText.home.unread(unread)}` });
    else showNotice(news);
  }

  /** The call is made again when the server may answer, so this only says so. */
  private notDeleted(failure: unknown) {
    if (isSignedOut(failure) && !this.stopped) this.onRefused(failure as ApiFailure);
    else showError(inboxText.remove.later);
  }

  private lost() {
    const { wasLetIn } = this;
    this.wasLetIn = false;
    useInbox.setState({ live: false });
    // A browser does not say why a socket was refused. The call for the list does, and the list is shown.
    if (!wasLetIn) void this.refetch();
  }

  private update(change: (inbox: ReturnType<typeof useInbox.getState>) => typeof inbox) {
    if (!this.stopped) useInbox.setState(change);
  }

  /** Tries again now, without waiting any longer. */
  readonly wake = () => {
    useInbox.setState({ live: false });
    this.wasLetIn = false;
    this.socket.wake();
    this.deletions.resume();
    void this.refetch();
  };

  private readonly sleep = () => useInbox.setState({ live: false, status: "offline" });

  /** A connection can break without any event. Only a visible page has to notice. */
  private readonly check = () => {
    if (document.visibilityState !== "visible") {
      this.hiddenSince ??= Date.now();
      if (Date.now() - this.hiddenSince >= AWAY_AFTER_MS) this.sayVisible(false);
      return this.leave();
    }
    this.hiddenSince = undefined;
    this.sayVisible(true);
    this.socket.check(QUESTION);
    this.deletions.resume();
  };

  /** A new socket counts as visible. */
  private sayVisible(on: boolean) {
    if (this.saidAway === !on) return;
    if (this.socket.send({ event: "event.visible", on })) this.saidAway = !on;
  }

  /** A hidden page may be closed without any further event, so this is the last moment for calls. */
  private readonly leave = () => this.deletions.finish();
}
