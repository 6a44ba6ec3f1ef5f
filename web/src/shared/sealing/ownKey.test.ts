import { beforeEach, expect, test, vi } from "vitest";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { keysKept } from "@/shared/testing/keyStore";
import { sealServer } from "@/shared/testing/sealServer";
import { fingerprintOf } from "./fingerprint";
import { privateKeyOf } from "./inboxKey";
import { openNote, sealNote } from "./notes";
import { drawCode, drawKey, leaveKey, sealWith, setSeal, takeKey, unlockWith } from "./ownKey";

vi.mock("./keyStore", () => import("@/shared/testing/keyStore"));

const ME = "wildfox";
const TARGET = "0b9c1f4e-6f5a-4f0e-9a39-0f6b4a3f5b11";

let has: ReturnType<typeof sealServer>;

beforeEach(() => {
  keysKept.clear();
  has = sealServer();
});

/** Another device, or this one after a sign-out. */
const withoutKey = () => keysKept.clear();

const standing = () => useOwnSeal.getState();

async function sealed() {
  const drawn = await drawKey();
  await sealWith(ME, drawn, false);
  return drawn;
}

/** Whether this device opens a note that is sealed for the key that senders get. */
async function opensNotes(): Promise<boolean> {
  const note = await sealNote(has.seal?.key ?? "", TARGET, { m: "a secret", f: false });
  const key = await privateKeyOf(ME);
  return key !== undefined && (await openNote(key, TARGET, note))?.m === "a secret";
}

test("a sealed inbox opens here, and its link names the key; nothing that was sent has the code or the key", async () => {
  const { code, publicKey, pkcs8 } = await sealed();
  expect(await opensNotes()).toBe(true);
  expect(standing()).toMatchObject({ here: "yes", fingerprint: await fingerprintOf(publicKey) });
  const all = has.sent.join("\n");
  for (const part of code.split("-")) if (part.length > 1) expect(all).not.toContain(part);
  expect(all).not.toContain(btoa(String.fromCharCode(...pkcs8)).slice(10, 60));
});

test("another device opens it by the code, however that is typed", async () => {
  const { code } = await sealed();
  withoutKey();
  expect(await opensNotes()).toBe(false);
  expect(await unlockWith(ME, ` ${code.toLowerCase().replaceAll("-", " ")}`)).toBeUndefined();
  expect(await opensNotes()).toBe(true);
  expect(standing().here).toBe("yes");
});

test("a mistyped code is told from a wrong one, and nothing is asked of the server for it", async () => {
  const { code } = await sealed();
  withoutKey();
  const other = code.startsWith("7") ? "8" : "7";
  const before = has.sent.length;
  expect(await unlockWith(ME, other + code.slice(1))).toBe("mistyped");
  expect(await unlockWith(ME, code.slice(1))).toBe("length");
  expect(await unlockWith(ME, `!${code.slice(1)}`)).toBe("sign");
  expect(has.sent.length).toBe(before);
  expect(await unlockWith(ME, (await drawKey()).code)).toBe("wrong");
  expect(await opensNotes()).toBe(false);
});

test("a public key that isn't this private key's is refused", async () => {
  const { code } = await sealed();
  withoutKey();
  if (has.seal) has.seal.key = (await drawKey()).publicKey;
  expect(await unlockWith(ME, code)).toBe("wrong");
});

test("a new code takes the place of the old one, for the same key", async () => {
  const { code, publicKey } = await sealed();
  const drawn = await drawCode(ME, publicKey);
  if (!drawn) throw new Error("this device has the key");
  await sealWith(ME, drawn, true);
  expect(has.seal).toMatchObject({ key: publicKey, open_notes: true });
  withoutKey();
  expect(await unlockWith(ME, code)).toBe("wrong");
  expect(await unlockWith(ME, drawn.code)).toBeUndefined();
  expect(await opensNotes()).toBe(true);
});

test("a device with an older key says so, and its link names no key", async () => {
  await sealed();
  const old = keysKept.get(ME);
  await sealed();
  keysKept.set(ME, old);
  await setSeal(ME, { open_notes: true });
  expect(standing().here).toBe("other");
  expect(standing().fingerprint).toBeUndefined();
  expect(await opensNotes()).toBe(false);
});

test("while it is switched off the link names no key, and this device keeps it", async () => {
  await sealed();
  await setSeal(ME, { on: false });
  expect(standing()).toMatchObject({ here: "yes", seal: { on: false } });
  expect(standing().fingerprint).toBeUndefined();
});

test("a device hands the key to another one, once, and only by the whole code", async () => {
  await sealed();
  const once = await leaveKey(ME);
  expect(has.sent.join("\n")).not.toContain(once);
  withoutKey();
  expect(await takeKey(ME, once ?? "")).toBe(true);
  expect(await opensNotes()).toBe(true);
  // Also a device that has got the key so can hand it on.
  const other = await leaveKey(ME);
  withoutKey();
  expect(await takeKey(ME, once ?? "")).toBe(false);
  await expect(takeKey(ME, other ?? "")).rejects.toHaveProperty("refusal.code", "no_handover");
  expect(await opensNotes()).toBe(false);
  expect(await leaveKey(ME)).toBeUndefined();
});
