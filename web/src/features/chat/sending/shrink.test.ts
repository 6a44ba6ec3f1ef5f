import { beforeEach, expect, test, vi } from "vitest";
import { shrink } from "./upload";

const drawn: { width: number; height: number; type: string; quality: number }[] = [];
let close: () => void;

beforeEach(() => {
  drawn.length = 0;
  close = vi.fn();
  const drawing = { fillRect: vi.fn(), drawImage: vi.fn() };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(drawing as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type = "",
    quality = 0,
  ) {
    drawn.push({ width: this.width, height: this.height, type, quality });
    done(new Blob(["drawn"], { type }));
  });
});

function bitmap(width: number, height: number) {
  const decode = vi.fn(async () => ({ width, height, close }));
  vi.stubGlobal("createImageBitmap", decode);
  return decode;
}

test("a large picture is drawn twice, turned as the camera says", async () => {
  const decode = bitmap(3000, 4000);
  const file = new Blob(["x".repeat(10)], { type: "image/jpeg" });
  expect(await shrink(file)).toMatchObject({ width: 810, height: 1080 });
  expect(decode).toHaveBeenCalledWith(file, { imageOrientation: "from-image" });
  expect(drawn).toEqual([
    { width: 810, height: 1080, type: "image/jpeg", quality: 0.5 },
    { width: 75, height: 100, type: "image/jpeg", quality: 0.5 },
  ]);
  expect(close).toHaveBeenCalledOnce();
});

test("a small one goes as it is, with a tiny form", async () => {
  bitmap(200, 100);
  const file = new Blob(["x"], { type: "image/png" });
  expect((await shrink(file)).full).toBe(file);
  expect(drawn).toEqual([{ width: 100, height: 50, type: "image/jpeg", quality: 0.5 }]);
});

test("what the browser can't read, or doesn't draw, is thrown, and the memory freed", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new Error("no picture");
  });
  await expect(shrink(new Blob(["x"]))).rejects.toThrow("no picture");
  bitmap(2000, 100);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(null));
  await expect(shrink(new Blob(["x"]))).rejects.toThrow("wasn't drawn");
  expect(close).toHaveBeenCalledOnce();
});
