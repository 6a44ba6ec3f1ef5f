import { beforeEach, expect, test, vi } from "vitest";
import { deviceStorage } from "./storage";

beforeEach(() => localStorage.clear());

test("what is blocked holds for this page, and says so", () => {
  // As a browser does that blocks site data.
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
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
