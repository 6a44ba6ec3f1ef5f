import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { useRetry } from "./useRetry";

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Page() {
  const { retry } = useRetry();
  return (
    <button onClick={retry} type="button">
      Again
    </button>
  );
}

test("it is tried again by itself, after pauses that grow to half a minute, as long as it is shown", async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const loader = vi.fn(async () => null);
  const routes = [{ path: "/", loader, Component: Page, HydrateFallback: () => null }];
  render(<RouterProvider router={createMemoryRouter(routes)} />);
  await pass(0);
  for (const pause of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = loader.mock.calls.length;
    await pass(pause - 1);
    expect(loader).toHaveBeenCalledTimes(before);
    await pass(1);
    expect(loader).toHaveBeenCalledTimes(before + 1);
  }
  screen.getByRole("button").click();
  await pass(0);
  window.dispatchEvent(new Event("online"));
  await pass(0);
  expect(loader).toHaveBeenCalledTimes(9);
  cleanup();
  await pass(60_000);
  window.dispatchEvent(new Event("online"));
  expect(loader).toHaveBeenCalledTimes(9);
  vi.useRealTimers();
});
