import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useRetry } from "./useRetry";

const loader = vi.fn(async () => null);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  loader.mockClear();
  render(
    <RouterProvider
      router={createMemoryRouter([{ path: "/", loader, Component: Page, HydrateFallback: () => null }])}
    />,
  );
  await pass(0);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Page() {
  const { retry } = useRetry();
  return (
    <button onClick={retry} type="button">
      Again
    </button>
  );
}

test("it is tried again by itself, after pauses that grow to half a minute", async () => {
  const tries = () => loader.mock.calls.length;
  expect(tries()).toBe(1);
  for (const pause of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = tries();
    await pass(pause - 1);
    expect(tries()).toBe(before);
    await pass(1);
    expect(tries()).toBe(before + 1);
  }
  screen.getByRole("button").click();
  await pass(0);
  window.dispatchEvent(new Event("online"));
  await pass(0);
  expect(tries()).toBe(9);
});

test("a page that is left tries nothing", async () => {
  cleanup();
  await pass(60_000);
  window.dispatchEvent(new Event("online"));
  expect(loader).toHaveBeenCalledOnce();
});
