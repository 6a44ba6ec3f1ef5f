import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inRoom } from "../../testing/inRoom";
import { Mentions } from "./Mentions";
import { MessageBox } from "./MessageBox";

const send = vi.fn();

function Box() {
  const [value, setValue] = useState("");
  return (
    <Mentions>
      <MessageBox describedBy={undefined} onSend={send} onValue={setValue} value={value} />
    </Mentions>
  );
}

beforeEach(() => {
  send.mockClear();
  const members = ["🐶", "🦊", "🐸", "🐙"];
  inRoom(<Box />, { me: "🐶", members });
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
