import { beforeEach, expect, test, vi } from "vitest";
import { reloadWhenOutdated } from "./offlineShell";

beforeEach(() => sessionStorage.clear());

test("a page that misses a file loads itself again: once, and not at all where the tab can't remember it", () => {
  vi.useFakeTimers();
  const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
  const miss = () => {
    window.dispatchEvent(new Event("vite:preloadError"));
    vi.runAllTimers();
  };
  reloadWhenOutdated("/assets/index-1.js");
  miss();
  miss();
  expect(reload).toHaveBeenCalledTimes(1);
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
  miss();
  expect(reload).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
