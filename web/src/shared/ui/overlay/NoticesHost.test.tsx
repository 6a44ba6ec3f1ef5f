import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { complain, notices, tell } from "@/shared/notices";
import { Dialog } from "./Dialog";
import { NoticesHost } from "./NoticesHost";

/** The topmost: jsdom doesn't know that what is behind a dialog is inert. */
const region = () => screen.getAllByRole("region", { name: "Notices" }).at(-1) as HTMLElement;
const shown = () => [...region().querySelectorAll("p")].map((words) => words.textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  notices.setState([], true);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function host() {
  render(<NoticesHost />);
  pass(100);
}

test("what was said before the host was there is told when it has settled", () => {
  tell("Signed in", "Welcome back");
  render(<NoticesHost />);
  expect(region().getAttribute("aria-live")).toBe("polite");
  expect(shown()).toEqual([]);
  pass(100);
  expect(shown()).toEqual(["Signed in", "Welcome back"]);
});

test("news stay for two and a half seconds, trouble for four", () => {
  host();
  act(() => tell("Copied"));
  act(() => complain("Failed"));
  expect(shown()).toEqual(["Failed", "Copied"]);
  pass(2499);
  expect(shown()).toEqual(["Failed", "Copied"]);
  pass(1);
  expect(shown()).toEqual(["Failed"]);
  pass(1499);
  expect(shown()).toEqual(["Failed"]);
  pass(1);
  expect(shown()).toEqual([]);
});

test("three at a time", () => {
  host();
  act(() => {
    for (const word of ["one", "two", "three", "four"]) tell(word);
  });
  expect(shown()).toEqual(["four", "three", "two"]);
});

test("nothing goes while it is pointed at, or the window is left", () => {
  host();
  act(() => tell("Copied"));
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
  act(() => tell("Copied"));
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
  act(() => tell("Copied"));
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

const inPlaces = () =>
  screen
    .getAllByRole("region", { name: "Notices", hidden: true })
    .map((place) => [...place.querySelectorAll("p")].map((words) => words.textContent));

function withDialog() {
  const page = (open: boolean) => (
    <>
      {open && <Dialog onClose={() => {}} title="Picture" />}
      <NoticesHost />
    </>
  );
  const { rerender } = render(page(false));
  pass(100);
  return (open: boolean) => {
    rerender(page(open));
    pass(100);
  };
}

test("what was heard in a dialog stays when that is closed, and isn't read again", () => {
  const show = withDialog();
  show(true);
  act(() => complain("Heard"));
  pass(1000);
  act(() => complain("Unheard"));
  show(false);
  expect(inPlaces()).toEqual([["Unheard", "Heard"]]);
  expect(screen.getByText("Heard").closest("[aria-live]")?.getAttribute("aria-live")).toBe("off");
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual(["Unheard"]);
});
