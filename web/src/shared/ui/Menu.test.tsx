import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Menu } from "./Menu";

const act = vi.fn<(what: string) => void>();

function Page({ point }: { point?: { x: number; y: number } }) {
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
          {...(point && { point })}
        />
      )}
    </main>
  );
}

const button = () => screen.getByRole("button", { name: "Open" });
const menu = () => screen.queryByRole("menu", { name: "Actions" });
const item = (name: string) => screen.getByRole("menuitem", { name });
const focused = () => document.activeElement?.textContent;

function open(point?: { x: number; y: number }) {
  render(<Page {...(point && { point })} />);
  fireEvent.click(button());
}

function press(...keys: string[]) {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

beforeEach(() => act.mockReset());
afterEach(cleanup);

test("the arrow keys go round, Home and End to the ends", () => {
  open();
  expect(document.activeElement).toBe(menu());
  press("ArrowDown");
  expect(focused()).toBe("Copy");
  press("ArrowDown");
  expect(focused()).toBe("Leave");
  press("ArrowDown", "ArrowDown");
  expect(focused()).toBe("Copy");
  press("ArrowUp");
  expect(focused()).toBe("Delete");
  press("Home");
  expect(focused()).toBe("Copy");
  press("End");
  expect(focused()).toBe("Delete");
});

test("opened by key it has the focus on its first item, and the Enter that is held chooses nothing", () => {
  render(<Page />);
  const opener = button();
  opener.focus();
  vi.spyOn(opener, "matches").mockImplementation((which) => which === ":focus-visible");
  fireEvent.click(opener);
  expect(focused()).toBe("Copy");
  expect(fireEvent.keyDown(item("Copy"), { key: "Enter", repeat: true })).toBe(false);
  expect(fireEvent.keyDown(item("Copy"), { key: "Enter" })).toBe(true);
});

test("up, first of all, leads to the last item", () => {
  open();
  press("ArrowUp");
  expect(focused()).toBe("Delete");
});

test("a letter leads to the item that begins with it", () => {
  open();
  press("l");
  expect(focused()).toBe("Leave");
  press("C");
  expect(focused()).toBe("Copy");
  press("x");
  expect(focused()).toBe("Copy");
});

test.each(["Escape", "Tab"])("%s closes it, and the focus is where it came from", (key) => {
  open();
  press("ArrowDown", key);
  expect(menu()).toBeNull();
  expect(document.activeElement).toBe(button());
});

test("what is chosen is done when the menu is gone and the focus back", () => {
  open();
  fireEvent.click(item("Copy"));
  expect(menu()).toBeNull();
  expect(act.mock.calls).toEqual([["Copy, from Open"]]);
});

test("the focus goes to the page when what opened it is gone", () => {
  open();
  const opener = button();
  opener.remove();
  press("Escape");
  expect(document.activeElement).toBe(screen.getByRole("main"));
  screen.getByRole("main").prepend(opener);
});

test("a press beside it closes it and chooses nothing", () => {
  open();
  const beside = menu()?.parentElement ?? document.body;
  fireEvent.pointerDown(beside);
  fireEvent.click(beside, { detail: 1 });
  expect(menu()).toBeNull();
  expect(act).not.toHaveBeenCalled();
});

test("the finger that opened it by a long press chooses nothing when it is lifted", () => {
  open();
  fireEvent.click(item("Delete"), { detail: 1 });
  fireEvent.click(menu()?.parentElement ?? document.body, { detail: 1 });
  expect(menu()).not.toBeNull();
  fireEvent.pointerDown(item("Delete"));
  fireEvent.click(item("Delete"), { detail: 1 });
  expect(act.mock.calls).toEqual([["Delete"]]);
});

test("it stays inside the window", () => {
  vi.stubGlobal("innerWidth", 400);
  vi.stubGlobal("innerHeight", 600);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(200);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(150);
  const placed = (x: number, y: number) => {
    open({ x, y });
    const { left, top } = menu()?.style ?? {};
    cleanup();
    return [left, top];
  };
  expect(placed(30, 40)).toEqual(["30px", "44px"]);
  expect(placed(390, 40)).toEqual(["192px", "44px"]);
  expect(placed(-5, 590)).toEqual(["8px", "436px"]);
});
