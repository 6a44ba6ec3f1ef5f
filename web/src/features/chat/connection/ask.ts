const ROOM = /^\/room\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** A seat nobody connects to frees itself after two minutes: what is older than this is asked for again. */
const FRESH_MS = 60_000;

/** How long a tab waits for another's answer. */
const TURN_MS = 3_000;

/** An answer, and the moment halfway between request and answer, at which its `Date` was true. */
export type Answer = { response: Response; halfway: number };

/** What carries the seat where the browser keeps no cookie: a header, a socket's protocol, and what reloads find it by. */
const SEAT = "annon-seat";

/** As a seat: there is none yet, and the server is to give one. */
const NEW = "new";

/** The room that was asked for before the app came. */
let prefetch: { id: string; answer: Promise<Answer>; at: number } | undefined;

/** The seat's secret, where this page has to carry it itself. */
let carried: string | undefined;

/**
 * Asks for the room of a page's address, if it is one. It is the first thing a room's page runs, before anything is
 * drawn and while all else is on its way; so this file imports nothing.
 */
export function begin(path: string) {
  const id = ROOM.exec(path)?.[1];
  prefetch = id === undefined ? undefined : { id, answer: ask(id), at: Date.now() };
}

/** The answer to the early call. It is handed out once, and for this room only. */
export function prefetched(id: string): Promise<Answer> | undefined {
  const held = prefetch;
  prefetch = undefined;
  return held?.id === id && Date.now() - held.at < FRESH_MS ? held.answer : undefined;
}

/**
 * Opens a room in one call: it takes a seat, or finds the one held, and brings what was said. On a phone's network a
 * second call would take as long again.
 */
export function ask(id: string): Promise<Answer> {
  const answer = inTurn(() => knock(id));
  // A caller that waits for the answer gets its failure; if none waits yet, it must not count as unhandled.
  answer.catch(() => {});
  return answer;
}

/** What a room's calls send when the page carries the seat; nothing more than its cookie when the browser does. */
export function seatHeaders(): Record<string, string> {
  return carried === undefined ? {} : { [SEAT]: carried };
}

/** The same for a socket, which has no headers of a page's own. */
export function seatProtocols(): string[] {
  return carried === undefined ? [] : [SEAT, carried];
}

/** From now on this page carries the seat: its cookie was given and didn't come back. False if it did so already. */
export function carrySeat(): boolean {
  const isNews = carried === undefined;
  carried ??= NEW;
  return isNews;
}

/** With the seat's cookie, or the seat itself, and nothing of the account. */
async function knock(id: string): Promise<Answer> {
  carried ??= keptSeat() ?? (keepsCookies() ? undefined : NEW);
  const asked = Date.now();
  const response = await fetch(`/api/room/${encodeURIComponent(id)}/seat`, {
    method: "POST",
    headers: { Accept: "application/json", ...seatHeaders() },
    credentials: "same-origin",
  });
  const halfway = (asked + Date.now()) / 2;
  const given = carried && response.headers.get(SEAT);
  if (given) keepSeat(given);
  return { response, halfway };
}

/** No seat is taken before this is known. The name is another each time: another tab may be looking, too. */
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

/** For reloads. Where cookies are blocked, storage is too, as a rule; a place in the tab's history can still hold it. */
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
 * One tab after the other: a newcomer is known by the cookie that comes with the first answer, and two tabs that ask
 * before that, as after a tap that opened a link twice, would be two people.
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
    // Another tab takes too long, or this browser knows no locks, as without TLS.
    return work();
  }
}

begin(window.location.pathname);
// The first clock takes a slow phone a tenth of a second to make, and later ones next to nothing: while the app is on
// its way there is the time for it.
new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
