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

test("what was said before the host was there is told when it has settled", () => {
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
])("%s, and one takes the other’s place", (_, say, ms) => {
  host();
  act(() => showNotice("Before"));
  act(() => say("After"));
  expect(shown()).toEqual(["After"]);
  pass(ms - 1);
  expect(shown()).toEqual(["After"]);
  pass(1);
  expect(shown()).toEqual([]);
});

test("nothing goes while it is pointed at, or the window is left", () => {
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

test("F6 leads to it and holds it; closing it leads back", () => {
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

test("it is swiped away upwards", () => {
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

test("what was heard in a dialog stays when that is closed, isn't read again, and goes when another opens", () => {
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
  act(() => showError("Heard"));
  pass(1000);
  show(false);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("Heard").closest("[aria-live]")?.getAttribute("aria-live")).toBe("off");
  show(true);
  expect(screen.queryByText("Heard")).toBeNull();
});
