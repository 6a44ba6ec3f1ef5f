import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { INBOX_PAGE } from "@/shared/contract/limits";
import { LiveSocket, socketAddress } from "@/shared/live/LiveSocket";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { emptyInbox, useInbox, withArrived, withNewest, withOlder, without, withSeen } from "./inboxStore";

type Frame = Partial<Schemas["InboxFrame"]>;

/** How often the server is asked whether it is still there, while somebody looks. */
const ASKS_EVERY_MS = 45_000;
/** Any answer shows that the server is there. */
const QUESTION = { event: "event.connect" };

/** Keeps the inbox store true: fetches, listens, and tells the server what was read and deleted. */
export class InboxFeed {
  private readonly token: string;
  private readonly onRefused: (failure?: ApiFailure) => void;
  private readonly socket: LiveSocket;
  private stopped = false;
  private asking: number | undefined;
  /** Whether the server let the last socket in. */
  private wasLetIn = false;
  /** Meanwhile the counts that come back are behind what is shown. */
  private isMarkingAll = false;
  /** How many notes the socket has told of. */
  private arrived = 0;

  /** `onRefused` hears why when a call was refused, and nothing when the socket was ended for good. */
  constructor(token: string, onRefused: (failure?: ApiFailure) => void) {
    this.token = token;
    this.onRefused = onRefused;
    this.socket = new LiveSocket(socketAddress("/api/inbox/socket"), ["bearer", token], {
      opened: () => {
        this.wasLetIn = true;
      },
      frame: (frame) => this.receive(frame as Frame),
      lost: () => this.lost(),
      ended: () => this.onRefused(),
    });
  }

  start() {
    this.stopped = false;
    useInbox.setState(emptyInbox, true);
    this.socket.start();
    void this.refetch();
    void this.learnSettings();
    window.addEventListener("online", this.wake);
    window.addEventListener("offline", this.sleep);
    document.addEventListener("visibilitychange", this.look);
    this.asking = window.setInterval(this.look, ASKS_EVERY_MS);
  }

  stop() {
    this.stopped = true;
    this.socket.stop();
    window.removeEventListener("online", this.wake);
    window.removeEventListener("offline", this.sleep);
    document.removeEventListener("visibilitychange", this.look);
    window.clearInterval(this.asking);
    useInbox.setState(emptyInbox, true);
  }

  /** The newest page. A list that is shown stays whatever happens, unless nobody is signed in any more. */
  async refetch() {
    try {
      await this.fetchNewest();
    } catch (failure) {
      const { status } = failure as ApiFailure;
      const isShown = useInbox.getState().status !== "loading";
      if (this.stopped || (isShown && status >= 500)) return;
      if (failure instanceof ApiFailure && status !== 0) this.onRefused(failure);
      else useInbox.setState({ status: "offline" });
    }
  }

  async loadOlder() {
    const before = useInbox.getState().notes.at(-1)?.id;
    if (before === undefined) return;
    const query = { before, limit: INBOX_PAGE };
    const { data } = await api("get", "/api/messages", { query, token: this.token });
    this.update((inbox) => withOlder(inbox, data, INBOX_PAGE));
  }

  /** Shown as read at once; should the server not hear of it, the next fetch says so. */
  async markSeen(id: string) {
    if (useInbox.getState().notes.find((note) => note.id === id)?.seen !== false) return;
    this.update((inbox) => withSeen(inbox, id));
    const { message } = await api("get", "/api/mark_as_seen/{id}", { params: { id }, token: this.token });
    if (!this.isMarkingAll) this.update((inbox) => ({ ...inbox, unread: message }));
  }

  /** Notes that aren't shown yet are marked, too: they are fetched first. */
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

  async remove(id: string) {
    const { message } = await api("delete", "/api/message/{id}", { params: { id }, token: this.token });
    this.update((inbox) => without(inbox, id, message));
  }

  /** Everything, also what waits to be delivered. */
  async removeAll() {
    const { message } = await api("delete", "/api/messages", { token: this.token });
    this.update((inbox) => withNewest(inbox, [], message, INBOX_PAGE));
  }

  private receive({ event, unread = 0, note, reload = false }: Frame) {
    const { live, status } = useInbox.getState();
    if (event === "event.ready" && (!live || status === "offline")) {
      useInbox.setState({ live: true });
      void this.refetch();
    } else if (event === "event.inbox" && note) {
      this.arrived += 1;
      showNotice(appText.inbox.arrived);
      this.update((inbox) => withArrived(inbox, note, unread));
    } else if (
      event === "event.inbox" &&
      (reload || (unread !== useInbox.getState().unread && !this.isMarkingAll))
    ) {
      // Read or deleted on another device, or a batch that was delivered.
      if (reload && unread > useInbox.getState().unread) showNotice(appText.inbox.batchArrived);
      void this.refetch();
      if (reload) void this.learnSettings();
    }
  }

  /** This only explains when notes come. If it isn't known, nothing is shown. */
  private async learnSettings() {
    const settings = await api("get", "/api/inbox", { token: this.token }).catch(() => undefined);
    if (settings) this.update((inbox) => ({ ...inbox, inBatches: settings.batches }));
  }

  /** A page may have been read before a note was stored that the socket told of meanwhile: then it is asked for again. */
  private async fetchNewest() {
    const query = { limit: INBOX_PAGE };
    let arrived: number;
    do {
      arrived = this.arrived;
      const { message, data } = await api("get", "/api/messages", { query, token: this.token });
      this.update((inbox) => withNewest(inbox, data, message, INBOX_PAGE));
    } while (arrived !== this.arrived && !this.stopped);
  }

  private lost() {
    const { wasLetIn } = this;
    this.wasLetIn = false;
    useInbox.setState({ live: false });
    // A browser doesn't say why a socket wasn't let in; the list does, and is shown meanwhile.
    if (!wasLetIn) void this.refetch();
  }

  private update(change: (inbox: ReturnType<typeof useInbox.getState>) => typeof inbox) {
    if (!this.stopped) useInbox.setState(change);
  }

  /** Tries again now, whatever was waited for. */
  readonly wake = () => {
    useInbox.setState({ live: false });
    this.wasLetIn = false;
    this.socket.wake();
    void this.refetch();
  };

  private readonly sleep = () => useInbox.setState({ live: false, status: "offline" });

  /** A connection can die without a word, as in a pocket; only a page that is looked at has to know. */
  private readonly look = () => {
    if (document.visibilityState === "visible") this.socket.check(QUESTION);
  };
}
