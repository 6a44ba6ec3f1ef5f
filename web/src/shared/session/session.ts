import type { Schemas } from "@/shared/api/api";
import { TOKEN_LIFETIME_SECONDS } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { cookieNames } from "@/shared/session/cookies";
import { forgetShared, keepShared, readShared, sharedNames } from "@/shared/session/shares";

/**
 * Two cookies hold the sign-in, and one for each of one's groups who made it. The server reads none of them: calls
 * carry the token themselves. What travels is one of two shares.
 */
const TOKEN_COOKIE = "annon_token";
const CACHE_COOKIE = "_cache_";

const BLOCK = 512;
/** Small, as there may be fifty of them, and proxies take 8 KiB of cookies at most. */
const CREATOR_BLOCK = 32;

const ROOM_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Account = Pick<Schemas["Dashboard"], "user">;

export const token = () => readShared(TOKEN_COOKIE);

export const keepToken = (value: string) => keepShared(TOKEN_COOKIE, value, TOKEN_LIFETIME_SECONDS, BLOCK);

/** Who is signed in, as the dashboard last said. */
export function cachedAccount(): Account | undefined {
  const cached = parsed(readShared(CACHE_COOKIE)) as Partial<Account> | null | undefined;
  return typeof cached?.user?.username === "string" ? { user: cached.user } : undefined;
}

export function cacheAccount({ user }: Account) {
  keepShared(CACHE_COOKIE, JSON.stringify({ user }), TOKEN_LIFETIME_SECONDS, BLOCK);
}

/** The dashboard has to be asked again. */
export const forgetAccount = () => forgetShared(CACHE_COOKIE);

/** Who made a room, where it was made or listed on this device. */
export const creatorOf = (room: string) => readShared(room);

export function keepCreator(room: string, username: string) {
  keepShared(room, username, TOKEN_LIFETIME_SECONDS, CREATOR_BLOCK);
}

export const forgetCreator = (room: string) => forgetShared(room);

/** Forgets the sign-in on this device, and of one's groups that they are one's own. */
export function forgetSession() {
  const rooms = [...cookieNames(), ...sharedNames()].filter((name) => ROOM_ID.test(name));
  for (const name of [TOKEN_COOKIE, CACHE_COOKIE, ...rooms]) forgetShared(name);
}
