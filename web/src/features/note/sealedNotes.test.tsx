import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "@/shared/api/api";
import { fingerprintOf } from "@/shared/sealing/fingerprint";
import { copyPlace, lineKeyOf, openLine } from "@/shared/sealing/lines";
import { newInboxKey } from "@/shared/sealing/newInboxKey";
import { parted } from "@/shared/sealing/noteMessage";
import { openNote } from "@/shared/sealing/notes";
import { refusalOf } from "@/shared/testing/refusalOf";
import { NotePage } from "./NotePage";

const WORDS = "a marked word that no request may have";
const TARGET = "0f8b1c1e-52a7-4f0e-9a53-6c2f1b7d9e44";
const [inbox, other] = await Promise.all([newInboxKey(), newInboxKey()]);
const pin = await fingerprintOf(inbox.publicKey);

type Seal = Schemas["Recipient"]["seal"];
type Sent = Schemas["SendNote"];

const sealed = (publicKey = inbox.publicKey, open_notes = false): Seal => ({ key: publicKey, open_notes });

/** The page of an inbox on a server that takes notes as the design says. */
function inboxOf(seal?: Seal) {
  const server = { seal, sent: [] as Sent[], all: "", answers: true };
  const page = (): Schemas["Recipient"] =>
    ({
      status: 200,
      message: TARGET,
      answers: false,
      line: "",
      only_for_you: false,
      prompts: [],
      ...(server.seal && { seal: server.seal }),
    }) as Schemas["Recipient"];
  const refused = (status: number, code: Parameters<typeof refusalOf>[0]) =>
    Response.json({ status, ...refusalOf(code) }, { status });
  vi.stubGlobal("fetch", async (url: string, { body, method }: RequestInit = {}) => {
    server.all += `${url} ${body ?? ""}`;
    if (method !== "POST") return Response.json(page());
    if (!server.answers) throw new TypeError("no network");
    const note: Sent = JSON.parse(String(body));
    const named = server.seal && (await fingerprintOf(server.seal.key));
    if (note.sealed_for && note.sealed_for !== named) return refused(409, "seal_changed");
    if (!note.sealed_for && server.seal && !server.seal.open_notes) return refused(409, "seal_needed");
    server.sent.push(note);
    return Response.json({ status: 201, message: "" }, { status: 201 });
  });
  return { server, page };
}

function show({ page }: ReturnType<typeof inboxOf>, hash = "") {
  const recipient = Promise.resolve({ target: TARGET, page: page() });
  const element = <NotePage recipient={recipient} username="wildfox" />;
  const router = createMemoryRouter([{ path: "/wildfox", element }], { initialEntries: [`/wildfox${hash}`] });
  render(<RouterProvider router={router} />);
}

async function send(words = WORDS) {
  fireEvent.change(await screen.findByRole("textbox"), { target: { value: words } });
  fireEvent.click(screen.getByRole("button", { name: "Send it" }));
}

const arrived = () => screen.findByRole("heading", { name: /Sent to wildfox/ });
const alerted = async (words: RegExp) =>
  waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(words));

beforeEach(() => sessionStorage.clear());
afterEach(() => sessionStorage.clear());

test("a note to a sealed inbox leaves the browser sealed, and its owner can open it", async () => {
  const here = inboxOf(sealed());
  show(here);
  expect(await screen.findByRole("button", { name: "Sealed" })).toBeTruthy();
  expect(screen.getByText("Only wildfox can read it. This site can’t.")).toBeTruthy();
  fireEvent.click(screen.getByRole("switch", { name: "Only for wildfox" }));
  await send();
  await arrived();
  const [note] = here.server.sent;
  expect(note).toMatchObject({ id: TARGET, sealed_for: pin, only_for_you: true });
  expect(await openNote(inbox.key, TARGET, note?.message ?? "")).toEqual({ m: WORDS, f: true });
  expect(here.server.all).not.toContain("marked");
});

test("a note that asks for an answer has the conversation's key in it, and its words once more for its sender", async () => {
  const here = inboxOf(sealed());
  show(here);
  fireEvent.click(await screen.findByRole("switch", { name: "I’d like an answer" }));
  await send();
  await arrived();
  const { message = "", conversation } = here.server.sent[0] ?? {};
  const opened = await openNote(inbox.key, TARGET, message);
  expect(opened).toMatchObject({ m: WORDS, f: false });
  const key = await lineKeyOf(opened?.k ?? "");
  const copy = await openLine(key, copyPlace(conversation?.id ?? ""), parted(message).copy ?? "");
  expect(copy).toBe(WORDS);
  expect(here.server.all).not.toContain("marked");
});

test("a note to an inbox that isn't sealed goes as it always did", async () => {
  const here = inboxOf();
  show(here);
  await send();
  await arrived();
  expect(here.server.sent[0]).toMatchObject({ message: WORDS });
  expect(here.server.sent[0]).not.toHaveProperty("sealed_for");
  expect(screen.queryByRole("button", { name: "Sealed" })).toBeNull();
});

test.each([
  ["another key", sealed(other.publicKey), /made for another key/],
  ["no seal", undefined, /the page doesn’t say so/],
])("a link that names a key sends nothing if the page has %s", async (_, seal, why) => {
  const here = inboxOf(seal);
  show(here, `#k=${pin}`);
  expect(await screen.findByText(why)).toBeTruthy();
  await send();
  await alerted(why);
  expect(here.server.sent).toEqual([]);
  expect(here.server.all).not.toContain("marked");
});

test.each(["#k=", `#k=${pin.slice(1)}`, `#k=${pin}.`])("a link with %s is not whole", async (hash) => {
  const here = inboxOf(sealed());
  show(here, hash);
  await send();
  await alerted(/made for another key/);
  expect(here.server.sent).toEqual([]);
});

test("a link that names the key that the page has sends, and leads back to itself", async () => {
  const here = inboxOf(sealed());
  show(here, `#k=${pin}`);
  await send();
  await arrived();
  expect(here.server.sent).toHaveLength(1);
  const again = screen.getByRole("link", { name: "Send another" });
  expect(again.getAttribute("href")).toBe(`/wildfox#k=${pin}`);
});

test("if the key has changed since the page was opened, the note is sealed anew", async () => {
  const here = inboxOf(sealed());
  show(here);
  await screen.findByRole("button", { name: "Sealed" });
  here.server.seal = sealed(other.publicKey);
  await send();
  await arrived();
  const [note] = here.server.sent;
  expect(await openNote(other.key, TARGET, note?.message ?? "")).toEqual({ m: WORDS, f: false });
  expect(here.server.all).not.toContain("marked");
});

test("but not if the link names the key", async () => {
  const here = inboxOf(sealed());
  show(here, `#k=${pin}`);
  await screen.findByRole("button", { name: "Sealed" });
  here.server.seal = sealed(other.publicKey);
  await send();
  await alerted(/made for another key/);
  expect(here.server.sent).toEqual([]);
});

test("if the inbox was sealed since the page was opened, the note is sealed", async () => {
  const here = inboxOf();
  show(here);
  await screen.findByRole("textbox");
  here.server.seal = sealed();
  await send();
  await arrived();
  expect(here.server.sent).toMatchObject([{ sealed_for: pin }]);
});

test("if sealing was turned off since, nothing goes open before that was said", async () => {
  const here = inboxOf(sealed());
  show(here);
  await screen.findByRole("button", { name: "Sealed" });
  here.server.seal = undefined;
  await send();
  await alerted(/aren’t sealed any more/);
  expect(here.server.all).not.toContain("marked");
  expect(screen.queryByRole("button", { name: "Sealed" })).toBeNull();
  await send();
  await arrived();
  expect(here.server.sent).toMatchObject([{ message: WORDS }]);
});

test.each([
  [false, /takes sealed notes only/],
  [true, /won’t be sealed/],
])("a browser that can't seal says so; open notes are taken: %s", async (isTaken, why) => {
  vi.stubGlobal("crypto", {
    getRandomValues: crypto.getRandomValues.bind(crypto),
  });
  const here = inboxOf(sealed(inbox.publicKey, isTaken));
  vi.stubGlobal("fetch", async (url: string, { body, method }: RequestInit = {}) => {
    here.server.all += `${url} ${body ?? ""}`;
    if (method === "POST") here.server.sent.push(JSON.parse(String(body)));
    return Response.json({ status: 201, message: "" });
  });
  show(here);
  expect(await screen.findByText(why)).toBeTruthy();
  await send();
  if (isTaken) await arrived();
  else await alerted(why);
  expect(here.server.sent.map(({ message }) => message)).toEqual(isTaken ? [WORDS] : []);
  expect(here.server.all.includes("marked")).toBe(isTaken);
});

test("a key that can't be used is said", async () => {
  const here = inboxOf({ key: inbox.publicKey.slice(2), open_notes: true });
  show(here);
  await send();
  await alerted(/can’t be used/);
  expect(here.server.sent).toEqual([]);
});

test("a note that got no answer is the same when it is sent again, and another one if its words are", async () => {
  const here = inboxOf(sealed());
  const ids: (string | null | undefined)[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    if (init.method === "POST") ids.push(JSON.parse(String(init.body)).note_id);
    return fetch(url, init);
  });
  here.server.answers = false;
  show(here);
  await send();
  await alerted(/\w/);
  await act(() => send());
  await waitFor(() => expect(ids).toHaveLength(2));
  here.server.answers = true;
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Send it" }).getAttribute("aria-disabled")).toBeNull(),
  );
  await send(`${WORDS}, and more`);
  await arrived();
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});
