import { api } from "@/shared/api/api";
import { showSeal } from "@/shared/session/ownSeal";
import { token } from "@/shared/session/session";
import type { Bytes } from "./bytes";
import { handOver, takeOver } from "./handover";
import { keep, pkcs8Of } from "./inboxKey";
import { inboxKeyFrom, newInboxKey } from "./newInboxKey";
import { newCode, readCode, unwrap, type WrongCode, wrap } from "./recovery";

/** What the owner does with the key of their inbox. After each, `useOwnSeal` has what is so now. */

const bearer = () => ({ token: token() ?? "" });

/** A key pair and its recovery code, of which nothing is kept or sent yet. */
export type Drawn = { publicKey: string; pkcs8: Bytes; code: string };

export async function drawKey(): Promise<Drawn> {
  const { publicKey, pkcs8 } = await newInboxKey();
  return { publicKey, pkcs8, code: newCode() };
}

/** A new recovery code for the key that this device has; undefined if it has none. */
export async function drawCode(username: string, publicKey: string): Promise<Drawn | undefined> {
  const pkcs8 = await pkcs8Of(username);
  return pkcs8 && { publicKey, pkcs8, code: newCode() };
}

/** Seals the inbox with a key pair. Throws if the server refuses it. */
export async function sealWith(username: string, { publicKey, pkcs8, code }: Drawn, open_notes: boolean) {
  const wrapped = await wrap(readCode(code).code ?? "", pkcs8);
  await api("put", "/api/seal", { json: { key: publicKey, wrapped, open_notes }, ...bearer() });
  // A browser that keeps nothing has sealed it all the same, and opens nothing: then the settings say so.
  await keepKey(username, pkcs8, publicKey).catch(() => {});
  await showSeal(username, { key: publicKey, wrapped, open_notes, on: true });
}

/** Switches sealing off or on again, or sets whether unsealed notes are taken. */
export async function setSeal(username: string, json: { on?: boolean; open_notes?: boolean }) {
  await api("patch", "/api/seal", { json, ...bearer() });
  const { data } = await api("get", "/api/seal", bearer());
  await showSeal(username, data ?? null);
}

/** Why a recovery code opens nothing: what was typed is none, it is another key's, or there is nothing to open. */
export type NotUnlocked = WrongCode | "wrong" | "gone";

/** Gives this device the key, by the recovery code. */
export async function unlockWith(username: string, typed: string): Promise<NotUnlocked | undefined> {
  const { code, wrong } = readCode(typed);
  if (code === undefined) return wrong;
  const { data } = await api("get", "/api/seal", bearer());
  if (!data) return "gone";
  const pkcs8 = await unwrap(code, data.wrapped);
  if (!pkcs8 || !(await keepKey(username, pkcs8, data.key))) return "wrong";
  await showSeal(username, data);
  return undefined;
}

/** Leaves the key for another device. Gives what its QR code has, or undefined if this device has no key. */
export async function leaveKey(username: string): Promise<string | undefined> {
  const pkcs8 = await pkcs8Of(username);
  if (!pkcs8) return undefined;
  const { wrapped, once } = await handOver(pkcs8);
  await api("put", "/api/seal/handover", { json: { wrapped }, ...bearer() });
  return once;
}

/** Takes the key that another device has left. Gives whether it was the inbox's. Throws if there is none. */
export async function takeKey(username: string, once: string): Promise<boolean> {
  const { data } = await api("get", "/api/seal", bearer());
  if (!data) return false;
  const taken = await api("post", "/api/seal/handover/take", bearer());
  const pkcs8 = await takeOver({ wrapped: taken.data.wrapped, once });
  if (!pkcs8 || !(await keepKey(username, pkcs8, data.key))) return false;
  await showSeal(username, data);
  return true;
}

async function keepKey(username: string, pkcs8: Bytes, publicKey: string): Promise<boolean> {
  const key = await inboxKeyFrom(pkcs8, publicKey);
  if (key) await keep(username, key, pkcs8);
  return key !== undefined;
}
