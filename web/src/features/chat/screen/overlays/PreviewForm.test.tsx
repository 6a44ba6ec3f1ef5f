import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { ChatActions, ChatState } from "../../model/chat";
import { ChatContext } from "../chatContext";
import { createScreen } from "../screen";
import { PreviewDialog } from "./Opened";

afterEach(cleanup);

const sendPicture = vi.fn();

function choose(...names: string[]) {
  sendPicture.mockReset();
  const open = createScreen(undefined);
  open.setState({ chosen: names.map((name) => new File([name], name, { type: "image/png" })) });
  const actions = {
    sendPicture,
    draft: () => ({ words: "" }),
    keepDraft: () => {},
  } as unknown as ChatActions;
  const store = createStore(() => ({ lines: [] }) as unknown as ChatState);
  render(
    <ChatContext value={{ store, actions, screen: open }}>
      <PreviewDialog />
    </ChatContext>,
  );
}

const send = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send" });

test("a caption is counted as a note is: 3 of 100", () => {
  choose("p.png");
  fireEvent.change(screen.getByLabelText("Caption"), { target: { value: "two" } });
  expect(screen.getByText("3 of 100")).toBeTruthy();
});

test("a file that is no picture is told of before it is sent, and can't be", () => {
  choose("broken.png");
  fireEvent.error(screen.getByRole("img"));
  expect(screen.getByRole("alert").textContent).toBe("We couldn’t read that file as a picture.");
  expect(screen.queryByRole("img")).toBeNull();
  expect(send().disabled).toBe(true);
});

test("of several the one that can't be read is shown, and the others are sent without it", () => {
  choose("a.png", "broken.png", "c.png");
  const second = screen.getByRole("button", { name: "Show picture 2" });
  fireEvent.error(within(second).getByRole("presentation"));
  expect(second.getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("alert")).toBeTruthy();
  expect(send().disabled).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Remove picture" }));
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(send());
  expect(sendPicture.mock.calls.map(([file]) => file.name)).toEqual(["a.png", "c.png"]);
});
