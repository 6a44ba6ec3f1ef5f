import { beforeEach, expect, test, vi } from "vitest";
import { reloadWhenOutdated } from "./offlineShell";

beforeEach(() => sessionStorage.clear());

test("a page that misses a file loads itself again, once for each version", () => {
  vi.useFakeTimers();
  const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
  const miss = () => {
    window.dispatchEvent(new Event("vite:preloadError"));
    vi.runAllTimers();
  };

  reloadWhenOutdated("/assets/index-1.js");
  expect(reload).not.toHaveBeenCalled();
  miss();
  miss();
  expect(reload).toHaveBeenCalledTimes(1);

  sessionStorage.setItem("reloaded-for", "/assets/index-0.js");
  miss();
  expect(reload).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("where the tab can't remember that, the page isn't loaded for ever", () => {
  vi.useFakeTimers();
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
  const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
  reloadWhenOutdated("/assets/index-1.js");
  window.dispatchEvent(new Event("vite:preloadError"));
  vi.runAllTimers();
  expect(reload).not.toHaveBeenCalled();
  vi.useRealTimers();
});
