import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, showError, showNotice } from "@/shared/notices";
import { Dialog } from "./Dialog";
import { NoticesHost } from "./NoticesHost";

const region = () => screen.getByRole("region", { name: "Notices" });
const shown = () => [...region().querySelectorAll("p")].map((words) => words.textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  dismiss();
});

afterEach(() => void vi.useRealTimers());

function host() {
  render(<NoticesHost />);
  pass(100);
}

test("a notice from before the host was there is announced when the host has settled", () => {
  showNotice("Signed in", "Welcome back");
  render(<NoticesHost />);
  expect(region().getAttribute("aria-live")).toBe("polite");
  expect(shown()).toEqual([]);
  pass(100);
  expect(shown()).toEqual(["Signed in", "Welcome back"]);
});

test.each([
  ["news stay for two and a half seconds", showNotice, 2500],
  ["trouble for four", showError, 4000],
])("%s, and a new notice replaces the old one", (_, say, ms) => {
  host();
  act(() => showNotice("Before"));
  act(() => say("After"));
  expect(shown()).toEqual(["After"]);
  pass(ms - 1);
  expect(shown()).toEqual(["After"]);
  pass(1);
  expect(shown()).toEqual([]);
});

test("news that is longer than a line stays for as long as it takes to read", () => {
  host();
  act(() => showNotice("Sent", "x".repeat(96)));
  pass(5999);
  expect(shown()).toHaveLength(2);
  pass(1);
  expect(shown()).toEqual([]);
});

test("a notice stays while the mouse points at it, and while the window is left", () => {
  host();
  act(() => showNotice("Copied"));
  fireEvent.pointerEnter(region());
  pass(60_000);
  fireEvent.pointerLeave(region());
  fireEvent(window, new Event("blur"));
  pass(60_000);
  expect(shown()).toEqual(["Copied"]);
  fireEvent(window, new Event("focus"));
  pass(2500);
  expect(shown()).toEqual([]);
});

test("F6 moves the focus to a notice, which stays; closing it moves the focus back", () => {
  render(<input aria-label="Message" />);
  host();
  act(() => showNotice("Copied"));
  screen.getByLabelText("Message").focus();
  fireEvent.keyDown(document.activeElement ?? window, { key: "F6" });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Close" }));
  pass(60_000);
  expect(shown()).toEqual(["Copied"]);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(shown()).toEqual([]);
  expect(document.activeElement).toBe(screen.getByLabelText("Message"));
});

test("a notice is closed by a swipe upwards", () => {
  host();
  act(() => showNotice("Copied"));
  const notice = screen.getByText("Copied");
  const swipe = (to: number) => {
    fireEvent.touchStart(notice, { touches: [{ clientY: 60 }] });
    fireEvent.touchEnd(notice, { changedTouches: [{ clientY: to }] });
  };
  swipe(90);
  swipe(40);
  expect(shown()).toEqual(["Copied"]);
  swipe(20);
  expect(shown()).toEqual([]);
});

test("a notice that was read out in a dialog stays, isn't read again, and goes when a dialog opens", () => {
  const page = (open: boolean) => (
    <>
      {open && <Dialog onClose={() => {}} title="Picture" />}
      <NoticesHost />
    </>
  );
  const { rerender } = render(page(true));
  const show = (open: boolean) => {
    rerender(page(open));
    pass(100);
  };
  pass(100);
  act(() => showError("Offline"));
  pass(1000);
  show(false);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("Offline").closest("[aria-live]")?.getAttribute("aria-live")).toBe("off");
  show(true);
  expect(screen.queryByText("Offline")).toBeNull();
});

test("what can be done about a notice is its first button, for ten seconds and once", () => {
  const undo = vi.fn();
  host();
  act(() => showNotice("Archived", undefined, { label: "Undo", act: undo }));
  pass(9999);
  fireEvent.keyDown(window, { key: "F6" });
  expect(document.activeElement?.textContent).toBe("Undo");
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect([undo.mock.calls.length, shown()]).toEqual([1, []]);
});
