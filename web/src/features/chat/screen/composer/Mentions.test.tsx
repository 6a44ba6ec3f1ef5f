import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { ChatActions, ChatState } from "../../model/chat";
import { ChatContext } from "../chatContext";
import { Words } from "../message/Words";
import { createScreen } from "../screen";
import { Mentions } from "./Mentions";
import { MessageBox } from "./MessageBox";

const send = vi.fn();

function Box() {
  const [value, setValue] = useState("");
  return (
    <Mentions>
      <MessageBox describedBy={undefined} max={255} onSend={send} onValue={setValue} value={value} />
    </Mentions>
  );
}

beforeEach(() => {
  send.mockClear();
  const members = ["🐶", "🦊", "🐸", "🐙"];
  const store = createStore(() => ({ me: "🐶", members, faces: new Set(members) }) as unknown as ChatState);
  render(
    <ChatContext value={{ store, actions: {} as ChatActions, screen: createScreen(undefined) }}>
      <Box />
      <Words message="@🦊 and @🐶, see @🦄" />
    </ChatContext>,
  );
});

afterEach(cleanup);

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const offered = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const press = (key: string) => fireEvent.keyDown(field(), { key });

function type(words: string) {
  field().value = "";
  fireEvent.input(field(), { target: { value: words } });
}

test("an @ offers the others, and what is typed after it fewer", () => {
  type("hey @");
  expect(offered()).toEqual(["🦊Fox", "🐸Frog", "🐙Octopus"]);
  expect(field().getAttribute("aria-activedescendant")).toBe(
    screen.getByRole("option", { selected: true }).id,
  );
  type("hey @FR");
  expect(offered()).toEqual(["🐸Frog"]);
  type("hey @xy");
  expect(offered()).toEqual([]);
  expect(field().hasAttribute("aria-activedescendant")).toBe(false);
  type("me@");
  expect(offered()).toEqual([]);
});

test("arrows choose, round the end, and Enter puts it in without sending", () => {
  type("hey @f");
  press("ArrowUp");
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("🐸Frog");
  press("ArrowDown");
  press("Enter");
  expect(field().value).toBe("hey @🦊 ");
  expect(offered()).toEqual([]);
  expect(send).not.toHaveBeenCalled();
  press("Enter");
  expect(send).toHaveBeenCalledOnce();
});
