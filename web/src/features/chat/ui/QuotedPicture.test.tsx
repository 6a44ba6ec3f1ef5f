import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { ChatActions, ChatState, Message } from "../chat";
import { quoteOf } from "../messages";
import { BubbleQuote } from "./BubbleQuote";
import { ChatContext } from "./chatContext";
import { ReplyBar } from "./ReplyBar";
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

/** The tiny form is too small to be recognised. */
test("a picture that is answered is shown in full where one writes, and in the answer", () => {
  const store = createStore(() => ({ lines: [ANSWERED] }) as unknown as ChatState);
  const bar = render(
    <ChatContext value={{ store, actions: {} as ChatActions, screen: createScreen(3) }}>
      <ReplyBar />
    </ChatContext>,
  );
  expect(bar.container.querySelector("img")?.getAttribute("src")).toBe("/full");
  expect(quoteOf(ANSWERED)?.picture).toBe("/full");
});

test("a quoted picture is fetched when it comes into view, and one that can't be had leaves no broken image", () => {
  const quote = { sender: "🦊", words: "Photo", seq: 3, picture: "/full" };
  const { container } = render(<BubbleQuote onOpen={() => {}} quote={quote} />);
  const image = container.querySelector("img");
  expect(image?.getAttribute("loading")).toBe("lazy");
  if (image) fireEvent.error(image);
  expect(container.querySelector("img")).toBeNull();
  expect(container.textContent).toContain("Photo");
});
