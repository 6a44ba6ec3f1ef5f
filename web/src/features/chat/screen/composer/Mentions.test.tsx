import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { inRoom } from "../../testing/inRoom";
import { Mentions } from "./Mentions";
import { MessageBox } from "./MessageBox";

function Box() {
  const [value, setValue] = useState("");
  return (
    <Mentions>
      <MessageBox describedBy={undefined} max={255} onSend={() => {}} onValue={setValue} value={value} />
    </Mentions>
  );
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const offered = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

function type(words: string) {
  field().value = "";
  fireEvent.input(field(), { target: { value: words } });
}

test("an @ offers the other members, and letters after it leave fewer of them", () => {
  inRoom(<Box />, { me: "🐶", members: ["🐶", "🦊", "🐸", "🐙"] });
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
