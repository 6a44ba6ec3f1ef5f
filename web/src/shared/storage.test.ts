import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deviceStorage, tabStorage } from "./storage";
import { language } from "./text/language";
import { chooseTheme, currentTheme } from "./theme";

/** As a browser does that blocks site data. */
function block(name: "localStorage" | "sessionStorage") {
  vi.spyOn(globalThis, name, "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const storage of [deviceStorage, tabStorage]) storage.removeItem("one");
});

test("keeps, gives back and forgets, each storage its own", () => {
  expect(deviceStorage.setItem("one", "1")).toBe(true);
  expect(localStorage.getItem("one")).toBe("1");
  expect(deviceStorage.getItem("one")).toBe("1");
  expect(deviceStorage.keys()).toEqual(["one"]);
  expect(tabStorage.getItem("one")).toBeNull();
  deviceStorage.removeItem("one");
  expect(localStorage).toHaveLength(0);
});

test("what is blocked holds for this page, and says so", () => {
  block("localStorage");
  expect(deviceStorage.getItem("one")).toBeNull();
  expect(deviceStorage.keys()).toEqual([]);
  expect(deviceStorage.setItem("one", "1")).toBe(false);
  expect(deviceStorage.getItem("one")).toBe("1");
  deviceStorage.removeItem("one");
  expect(deviceStorage.getItem("one")).toBeNull();
});

test("in a full one, what was kept before doesn't come back", () => {
  deviceStorage.setItem("one", "1");
  const setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  const full = vi
    .spyOn(globalThis, "localStorage", "get")
    .mockReturnValue({ getItem: () => "1", setItem } as unknown as Storage);
  expect(deviceStorage.setItem("one", "2")).toBe(false);
  expect(deviceStorage.getItem("one")).toBe("2");
  full.mockRestore();
  expect(deviceStorage.setItem("one", "3")).toBe(true);
  expect(localStorage.getItem("one")).toBe("3");
});

test("without any, there is a language and a theme", () => {
  block("localStorage");
  block("sessionStorage");
  expect(language()).toBe("en");
  chooseTheme("dark");
  expect(currentTheme()).toBe("dark");
  tabStorage.removeItem("theme");
});
