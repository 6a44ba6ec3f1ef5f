import { expect, test, vi } from "vitest";
import { deviceStorage } from "./storage";

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
