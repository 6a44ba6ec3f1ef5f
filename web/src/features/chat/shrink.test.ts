import { beforeEach, expect, test, vi } from "vitest";
import { fitted, isKept, shrink } from "./shrink";

test("the longest side is what counts, the shape is kept, and nothing is enlarged", () => {
  expect(fitted({ width: 4000, height: 3000 }, 1080)).toEqual({ width: 1080, height: 810 });
  expect(fitted({ width: 3000, height: 4000 }, 1080)).toEqual({ width: 810, height: 1080 });
  expect(fitted({ width: 640, height: 480 }, 1080)).toEqual({ width: 640, height: 480 });
  expect(fitted({ width: 10_000, height: 3 }, 20)).toEqual({ width: 20, height: 1 });
});

test.each([
  [512_000, 1080, "image/jpeg", true],
  [512_001, 1080, "image/jpeg", false],
  [512_000, 1081, "image/jpeg", false],
  [1000, 100, "image/png", true],
  [1000, 100, "image/webp", true],
  [1000, 100, "image/gif", false],
  [1000, 100, "", false],
])("a file of %i bytes, %i pixels wide, %s: kept as it is: %s", (size, width, type, kept) => {
  expect(isKept({ size, type }, { width, height: 10 })).toBe(kept);
});

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
    { width: 15, height: 20, type: "image/jpeg", quality: 0.5 },
  ]);
  expect(close).toHaveBeenCalledOnce();
});

test("a small one goes as it is, with a tiny form", async () => {
  bitmap(200, 100);
  const file = new Blob(["x"], { type: "image/png" });
  expect((await shrink(file)).full).toBe(file);
  expect(drawn).toEqual([{ width: 20, height: 10, type: "image/jpeg", quality: 0.5 }]);
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
