import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { learnSeal, useOwnSeal } from "@/shared/session/ownSeal";
import { keysKept } from "@/shared/testing/keyStore";
import { renderPage } from "@/shared/testing/renderPage";
import { sealServer } from "@/shared/testing/sealServer";
import { OpenHerePage } from "../OpenHerePage";
import { SealDialog } from "./SealDialog";

vi.mock("@/shared/sealing/keyStore", () => import("@/shared/testing/keyStore"));

const ME = "wildfox";
const onClose = vi.fn();

let has: ReturnType<typeof sealServer>;

beforeEach(async () => {
  keysKept.clear();
  has = sealServer();
  // What the last test has asked is over then.
  await learnSeal(ME);
  useOwnSeal.setState({ username: "", here: "no" }, true);
});

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByRole("textbox", { name: label }), { target: { value } });

/** The code that is shown. */
async function shownCode(): Promise<string> {
  await screen.findByText(/You see it only now/);
  return document.querySelector("dialog p[dir=ltr]")?.textContent?.replace("Recovery code: ", "") ?? "";
}

/** Goes on from the shown code, by typing the group that is asked for. */
async function keep(code: string) {
  await press("I’ve kept it");
  const label = (await screen.findByRole("textbox")).parentElement?.parentElement?.textContent ?? "";
  const nth = ["first", "second", "third", "fourth", "fifth"].findIndex((word) => label.includes(word));
  await type(/group/, "AAAAA");
  await press("Done");
  await screen.findByText(/^That isn’t the \w+ group/);
  expect(has.seal?.key).toBe(keyBefore);
  await type(/group/, ` ${code.split("-")[nth]?.toLowerCase()}`);
  await press("Done");
}

let keyBefore: string | undefined;

test("sealing asks for a part of the code before anything is sent, and then shows what can be done", async () => {
  keyBefore = undefined;
  renderPage(<SealDialog onClose={onClose} username={ME} />);
  fireEvent.click(await screen.findByRole("switch", { name: "Take unsealed notes, too" }));
  await press("Seal my inbox");
  const code = await shownCode();
  expect(code).toMatch(/^([0-9A-Z]{5}-){5}[0-9A-Z*~$=]$/);
  await keep(code);
  await screen.findByText("This device has the key.");
  expect(notices.getState()?.title).toBe("Your inbox is sealed");
  expect(has.seal).toMatchObject({ on: true, open_notes: true });

  fireEvent.click(await screen.findByRole("switch", { name: "Take unsealed notes, too" }));
  await waitFor(() => expect(has.seal?.open_notes).toBe(false));

  await press(/^Stop sealing/);
  await press("Stop sealing");
  await screen.findByText(/New notes come unsealed now/);
  expect(has.seal?.on).toBe(false);
  await press(/^Seal again/);
  await waitFor(() => expect(has.seal?.on).toBe(true));

  keyBefore = has.seal?.key;
  await press(/^New key/);
  await press("Make new key");
  const other = await shownCode();
  expect(other).not.toBe(code);
  await keep(other);
  await screen.findByText("This device has the key.");
  expect(has.seal?.key).not.toBe(keyBefore);
});

test("without the key there is the code, and no handing over; after it there is", async () => {
  renderPage(<SealDialog onClose={onClose} username={ME} />);
  await press("Seal my inbox");
  keyBefore = undefined;
  const code = await shownCode();
  await keep(code);
  await screen.findByText("This device has the key.");
  keysKept.clear();
  await act(() => learnSeal(ME));
  await act(() => learnSeal(ME));
  await screen.findByText(/doesn’t have the key/);
  expect(screen.queryByRole("button", { name: /^Open on another device/ })).toBeNull();
  await press(/^Open with recovery code/);
  await type(/Recovery code/, code.slice(0, -1));
  await press("Open");
  await screen.findByText(/A character is missing/);
  await type(/Recovery code/, code);
  await press("Open");
  await press(/^Open on another device/);
  await screen.findByRole("img", { name: "QR code that hands your key over" });
  expect(has.handover).toBeDefined();
});

test("the page of a QR code says when there is nothing to get, and when its link was cut", async () => {
  has.seal = { key: "BA", wrapped: "", on: true, open_notes: false };
  renderPage(<OpenHerePage once="AAAA" username={ME} />);
  await screen.findByText(/^There’s nothing to get/);
  renderPage(<OpenHerePage once="" username={ME} />);
  await screen.findByText(/missing its last part/);
});
