import { cleanup, render, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { shownPictures } from "../history/shownPictures";
import type { ChatActions, ChatState, Message } from "../model/chat";
import { quoteOf } from "../sending/messages";
import { ChatContext } from "./chatContext";
import { ReplyBar } from "./composer/ReplyBar";
import { BubbleQuote } from "./message/BubbleQuote";
import { createScreen } from "./screen";

afterEach(cleanup);

const ANSWERED = {
  kind: "message",
  seq: 3,
  sender: "🦊",
  words: "the card",
  picture: { full: "/full", tiny: "/tiny", width: 40, height: 30 },
  unsent: false,
} as Message;

function show(part: ReactNode) {
  const store = createStore(() => ({ lines: [ANSWERED], faces: new Set() }) as unknown as ChatState);
  return render(
    <ChatContext value={{ store, actions: {} as ChatActions, screen: createScreen(3) }}>{part}</ChatContext>,
  );
}

/** The tiny form is too small to be recognised. */
test("a picture that is answered is shown in full where one writes, and in the answer", async () => {
  const fetched = vi.fn(async (_: string) => new Response("picture"));
  vi.stubGlobal("fetch", fetched);

  const bar = show(<ReplyBar />);
  await waitFor(() => expect(bar.container.querySelector("img")?.getAttribute("src")).toMatch(/^blob:/));
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(["/full"]);
  shownPictures.forgetAll();
  expect(quoteOf(ANSWERED)?.picture).toBe("/full");
});

test("a quoted picture that can't be had leaves no broken image", async () => {
  const quote = { sender: "🦊", words: "Photo", seq: 3, picture: "/gone" };
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  const { container } = show(<BubbleQuote onOpen={() => {}} quote={quote} />);
  expect(container.querySelector("img")).not.toBeNull();
  await waitFor(() => expect(container.querySelector("img")).toBeNull());
  expect(container.textContent).toContain("Photo");
});
