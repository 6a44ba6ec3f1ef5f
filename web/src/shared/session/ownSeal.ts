import { useEffect } from "react";
import { create } from "zustand";
import { api, type Schemas } from "@/shared/api/api";
import { personalLink } from "@/shared/links";
import { token } from "./session";

/** Whether this device has the key of the inbox: it does, it has another one, or it has none. */
export type KeyHere = "yes" | "other" | "no";

type OwnSeal = {
  /** Whose it is. */
  username: string;
  /** What the server has: nothing, if the inbox was never sealed; undefined until it has answered. */
  seal?: Schemas["SealData"] | null;
  here: KeyHere;
  /** What the personal link names the key by, while the inbox is sealed. */
  fingerprint?: string;
};

const unknown: OwnSeal = { username: "", here: "no" };

/** How the inbox of whoever is signed in is sealed. Its code is in many pages; what opens and seals is loaded by it. */
export const useOwnSeal = create<OwnSeal>(() => unknown);

/**
 * The personal link of whoever is signed in. While the inbox is sealed it names the key behind the "#", so that a sender's
 * browser can tell another one. No browser sends that part.
 */
export function useOwnLink(username: string): string {
  const link = useOwnSeal((own) => linkIn(own, username));
  useEffect(() => void learnSeal(username), [username]);
  return link;
}

/** That link for whoever gives it away: once the server has said whether it names a key, or can't be reached. */
export function ownLink(username: string): string | Promise<string> {
  const link = () => linkIn(useOwnSeal.getState(), username);
  const { username: known, seal } = useOwnSeal.getState();
  return known === username && seal !== undefined ? link() : learnSeal(username).then(link);
}

function linkIn({ username: whose, fingerprint }: OwnSeal, username: string) {
  return personalLink(username) + (whose === username && fingerprint ? `#k=${fingerprint}` : "");
}

let learning: Promise<void> | undefined;

/** Asks the server, and this device. If that fails, as when the page is left meanwhile, nothing changes. */
export function learnSeal(username: string): Promise<void> {
  if (useOwnSeal.getState().username !== username) useOwnSeal.setState({ ...unknown, username }, true);
  learning ??= learn(username).finally(() => {
    learning = undefined;
  });
  return learning;
}

async function learn(username: string) {
  try {
    const { data } = await api("get", "/api/seal", { token: token() ?? "" });
    await showSeal(username, data ?? null);
  } catch {
    // Nothing is known then, and who needs to know it calls this again.
  }
}

/** Shows what the server has said of the seal. */
export async function showSeal(username: string, seal: OwnSeal["seal"]) {
  const known = seal ? await (await import("@/shared/sealing/standing")).standingOf(username, seal) : {};
  useOwnSeal.setState({ username, seal: seal ?? null, here: "no", ...known }, true);
}
