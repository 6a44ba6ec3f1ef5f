const ROOM = /^\/room\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** The server frees a seat without a socket after two minutes. An older answer than this is not used. */
const FRESH_MS = 60_000;

/** How long a tab waits until another tab has its answer. */
const TURN_MS = 3_000;

/** An answer, and the time halfway between request and answer, at which the server wrote its `Date`. */
export type Answer = { response: Response; halfway: number };

/** Where no cookies are kept: the header, the socket's protocol, and the storage key that carry the seat. */
const SEAT = "annon-seat";

/** Sent as the seat to ask the server for a new one. */
const NEW = "new";

/** The room that was asked for before the app was loaded. */
let prefetch: { id: string; answer: Promise<Answer>; at: number } | undefined;

/** The seat's secret, if this page carries it because there is no cookie. */
let carried: string | undefined;

/**
 * Asks for the room that a page's address names, if it is a room's. This runs first on a room's page, while the app is
 * still being loaded. So this file imports nothing.
 */
export function begin(path: string) {
  const id = ROOM.exec(path)?.[1];
  prefetch = id === undefined ? undefined : { id, answer: ask(id), at: Date.now() };
}

/** The answer to the prefetch, if that was for this room. It is given out only once. */
export function prefetched(id: string): Promise<Answer> | undefined {
  const held = prefetch;
  prefetch = undefined;
  return held?.id === id && Date.now() - held.at < FRESH_MS ? held.answer : undefined;
}

/**
 * Opens a room in one call, which takes a seat, or finds the visitor's, and returns the newest messages. On a phone's
 * network a second call would double the time. Or knocks, where a group asks first; its creator's token is enough there.
 */
export function ask(id: string, what: "seat" | "knock" = "seat", token?: string): Promise<Answer> {
  const answer = inTurn(() => call(id, what, token));
  // A caller gets the failure when it awaits the answer. Until then it must not count as unhandled.
  answer.catch(() => {});
  return answer;
}

/** The headers for a room's calls: the seat, if the page carries it; none if it is in a cookie. */
export function seatHeaders(): Record<string, string> {
  return carried === undefined ? {} : { [SEAT]: carried };
}

/** The same for a socket, for which a page can set no headers. */
export function seatProtocols(): string[] {
  return carried === undefined ? [] : [SEAT, carried];
}

/** From now on this page carries the seat, because the browser dropped the cookie. False if it already did. */
export function carrySeat(): boolean {
  const isNews = carried === undefined;
  carried ??= NEW;
  return isNews;
}

/** Sends the seat's cookie, or the seat itself; the account's token only if it is given. */
async function call(id: string, what: string, token?: string): Promise<Answer> {
  carried ??= keptSeat() ?? (keepsCookies() ? undefined : NEW);
  const asked = Date.now();
  const answer = fetch(`/api/room/${encodeURIComponent(id)}/${what}`, {
    method: "POST",
    headers: {
      Accept: "application/json",
      ...seatHeaders(),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    credentials: "same-origin",
  });
  // A slow phone needs a tenth of a second to make its first formatter of times, and almost none for later ones. Until
  // the answer comes there is time for that.
  new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
  const head = await answer;
  const halfway = (asked + Date.now()) / 2;
  const given = carried && head.headers.get(SEAT);
  if (given) keepSeat(given);
  // Read at once: the rest of an answer that nobody reads stays on its way.
  return { response: new Response(await head.text(), head), halfway };
}

/** Has to be known before a seat is taken. The name is random, because another tab may test at the same time. */
function keepsCookies(): boolean {
  try {
    const name = `${SEAT}${Math.random()}=`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins and in Firefox
    document.cookie = `${name}1; SameSite=Lax`;
    const isKept = document.cookie.includes(name);
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = `${name}; Max-Age=-1`;
    return isKept;
  } catch {
    return false;
  }
}

/** For reloads. A browser that blocks cookies usually blocks storage too, but not the state of the tab's history. */
function keepSeat(seat: string) {
  carried = seat;
  try {
    sessionStorage.setItem(SEAT, seat);
  } catch {
    history.replaceState({ ...history.state, [SEAT]: seat }, "");
  }
}

function keptSeat(): string | undefined {
  try {
    const seat = sessionStorage.getItem(SEAT);
    if (seat !== null) return seat;
  } catch {}
  return history.state?.[SEAT];
}

/**
 * Lets tabs ask one after the other. A newcomer is known by the cookie that comes with the first answer: two tabs that
 * ask before that, as when a link is opened twice, would get two seats.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  let begun = false;
  try {
    return await navigator.locks.request("annon-seat", { signal: AbortSignal.timeout(TURN_MS) }, () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    // Another tab takes too long, or this browser has no locks (it has none without TLS).
    return work();
  }
}

// The pages are also drawn when the app is built, and then nobody asks for a room.
if (!import.meta.env.SSR) begin(window.location.pathname);
