import { ROOM_PAGE } from "@/shared/wire/limits";
import { deviceStorage } from "../storage";

/** An answer, and the moment halfway between asking and hearing, which is when its date was true. */
export type Answer = { response: Response; halfway: number };

/** What opening a room asks of the server: a seat, and what was said. */
export type Asked = { seat: Promise<Response>; page: Promise<Answer> };

/**
 * Both at once where a seat is held, as it seems: whoever holds none reads nothing, and has to ask again. Otherwise
 * the page is asked for when the seat is there.
 */
export function ask(id: string): Asked {
  const seat = get(`/api/room-emoji/${encodeURIComponent(id)}`);
  const isSeated = deviceStorage.getItem(id) !== null;
  const page = isSeated ? askForPage(id) : seat.then(({ ok }) => (ok ? askForPage(id) : Promise.reject()));
  // Whoever waits for an answer hears of its failure, and nobody may be waiting yet.
  for (const answer of [seat, page]) answer.catch(() => {});
  return { seat, page };
}

export async function askForPage(id: string): Promise<Answer> {
  const asked = Date.now();
  const response = await get(`/api/room/${encodeURIComponent(id)}?limit=${ROOM_PAGE}`);
  return { response, halfway: (asked + Date.now()) / 2 };
}

/** With the seat's cookie and nothing of the account. */
function get(address: string): Promise<Response> {
  return fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
}
