import { expect, test, vi } from "vitest";
import { shrunk } from "./FeedbackForm";

test("a phone's photo is drawn smaller; one that can't be is left to the server", async () => {
  const photo = new File(["x".repeat(600_000)], "photo.jpg", { type: "image/jpeg" });
  vi.stubGlobal("createImageBitmap", async () => ({ width: 4000, height: 3000, close: () => {} }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    fillRect: vi.fn(),
    drawImage: vi.fn(),
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
  ) {
    done(new Blob([`${this.width} by ${this.height}`]));
  });
  expect(await (await shrunk(photo)).text()).toBe("1080 by 810");
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no picture")));
  expect(await shrunk(photo)).toBe(photo);
});
