import type { Schemas } from "@/shared/api/api";
import { TOKEN_LIFETIME_SECONDS } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { isRoomId } from "@/shared/links";
import { cookieNames } from "@/shared/session/cookies";
import { forgetInbox, forgetInboxKey } from "@/shared/session/inboxOnDevice";
import { forgetShared, keepShared, readShared, sharedNames } from "@/shared/session/shares";

/**
 * Two cookies hold the sign-in; one more for each group of the account holds its creator's name. The server reads none
 * of them: calls send the token in a header. Each cookie is only one of two shares.
 */
const TOKEN_COOKIE = "annon_token";
const CACHE_COOKIE = "_cache_";

const BLOCK = 512;
/** Small, because there can be fifty of them, and proxies accept 8 KiB of cookies at most. */
const CREATOR_BLOCK = 32;
const A_MINUTE = 60;

type Account = Pick<Schemas["Dashboard"], "user">;

export const token = () => readShared(TOKEN_COOKIE);

/**
 * The cookie ends before the sign-in does. So a call that is refused although the cookie is there was refused because
 * somebody has ended the sign-in.
 */
export const keepToken = (value: string) =>
  keepShared(TOKEN_COOKIE, value, TOKEN_LIFETIME_SECONDS - A_MINUTE, BLOCK);

/** Who is signed in, according to the last answer of the dashboard call. */
export function cachedAccount(): Account | undefined {
  const cached = parsed(readShared(CACHE_COOKIE)) as Partial<Account> | null | undefined;
  return typeof cached?.user?.username === "string" ? { user: cached.user } : undefined;
}

export function cacheAccount({ user }: Account) {
  keepShared(CACHE_COOKIE, JSON.stringify({ user }), TOKEN_LIFETIME_SECONDS, BLOCK);
}

/** After this the dashboard call has to be made again. */
export const forgetAccount = () => forgetShared(CACHE_COOKIE);

/** Who created a room, if it was created or listed on this device. */
export const creatorOf = (room: string) => readShared(room);

export function keepCreator(room: string, username: string) {
  keepShared(room, username, TOKEN_LIFETIME_SECONDS, CREATOR_BLOCK);
}

export const forgetCreator = (room: string) => forgetShared(room);

/**
 * Forgets the sign-in on this device, who created its groups, and what was kept of the inbox. The key of a sealed inbox
 * stays if the sign-in has only lapsed: its owner signs in again every two hours, and would have to type the recovery
 * code each time. Nobody opens anything with it who isn't signed in.
 */
export function forgetSession(keepsInboxKey = false) {
  const rooms = [...cookieNames(), ...sharedNames()].filter(isRoomId);
  for (const name of [TOKEN_COOKIE, CACHE_COOKIE, ...rooms]) forgetShared(name);
  forgetInbox();
  if (!keepsInboxKey) forgetInboxKey();
}
