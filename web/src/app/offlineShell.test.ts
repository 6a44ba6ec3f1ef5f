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
