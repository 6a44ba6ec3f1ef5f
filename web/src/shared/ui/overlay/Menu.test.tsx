import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { Menu } from "./Menu";

const act = vi.fn<(what: string) => void>();

function Page() {
  const [from, setFrom] = useState<HTMLElement>();
  return (
    <main id="main" tabIndex={-1}>
      <button onClick={(event) => setFrom(event.currentTarget)} type="button">
        Open
      </button>
      {from && (
        <Menu
          entries={[
            { label: "Copy", act: () => act(`Copy, from ${document.activeElement?.textContent}`) },
            false,
            { label: "Leave", act: () => act("Leave") },
            "separator",
            { label: "Delete", act: () => act("Delete"), danger: true },
          ]}
          from={from}
          label="Actions"
          onClose={() => setFrom(undefined)}
        />
      )}
    </main>
  );
}

const button = () => screen.getByRole("button", { name: "Open" });
const menu = () => screen.queryByRole("menu", { name: "Actions" });
const item = (name: string) => screen.getByRole("menuitem", { name });
const focused = () => document.activeElement?.textContent;

function open() {
  render(<Page />);
  fireEvent.click(button());
}

test("opened by a key, the menu has the focus on its first item, and a held Enter chooses nothing", () => {
  render(<Page />);
  const opener = button();
  opener.focus();
  vi.spyOn(opener, "matches").mockImplementation((which) => which === ":focus-visible");
  fireEvent.click(opener);
  expect(focused()).toBe("Copy");
  expect(fireEvent.keyDown(item("Copy"), { key: "Enter", repeat: true })).toBe(false);
  expect(fireEvent.keyDown(item("Copy"), { key: "Enter" })).toBe(true);
});

test("the finger that opened the menu by a long press chooses nothing when it lifts", () => {
  open();
  fireEvent.click(item("Delete"), { detail: 1 });
  fireEvent.click(menu()?.parentElement ?? document.body, { detail: 1 });
  expect(menu()).not.toBeNull();
  fireEvent.pointerDown(item("Delete"));
  fireEvent.click(item("Delete"), { detail: 1 });
  expect(act.mock.calls).toEqual([["Delete"]]);
});

test("a menu that gets more entries while it is open stays in the window", () => {
  let height = 40;
  const measured = vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(() => height);
  const from = document.body.appendChild(document.createElement("button"));
  const draw = (labels: string[]) => (
    <Menu
      entries={labels.map((label) => ({ label, act: () => act(label) }))}
      from={from}
      label="Actions"
      onClose={() => {}}
      point={{ x: 10, y: window.innerHeight - 68 }}
    />
  );
  const { rerender } = render(draw(["Cancel"]));
  expect(menu()?.style.top).toBe(`${window.innerHeight - 64}px`);
  height = 200;
  rerender(draw(["Reply", "Copy", "Unsend"]));
  expect(menu()?.style.top).toBe(`${window.innerHeight - 68 - 4 - 200}px`);
  measured.mockRestore();
  from.remove();
});
