import { expect, test, vi } from "vitest";
import { ShownPictures } from "./shownPictures";

const MEGABYTE = 1024 * 1024;

function memory(size = 10) {
  const [asked, revoked] = [[] as string[], [] as string[]];
  let made = 0;
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return { ok: address !== "/gone", blob: async () => ({ size }) };
  });
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++made}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((shown) => revoked.push(shown));
  return { pictures: new ShownPictures(), asked, revoked };
}

test("a picture is fetched once, however often it is shown and by how many, and one's own never", async () => {
  const { pictures, asked } = memory();
  expect(pictures.now("/a")).toBeUndefined();
  expect(await Promise.all([pictures.of("/a"), pictures.of("/a")])).toEqual(["blob:1", "blob:1"]);
  expect(pictures.now("/a")).toBe("blob:1");
  expect(await pictures.of("/a")).toBe("blob:1");
  expect([pictures.now("blob:mine"), await pictures.of("blob:mine")]).toEqual(["blob:mine", "blob:mine"]);
  expect(asked).toEqual(["/a"]);
});

test("a picture that can't be loaded is asked for again the next time", async () => {
  const { pictures, asked } = memory();
  for (let time = 0; time < 2; time += 1) await expect(pictures.of("/gone")).rejects.toThrow("no picture");
  expect(asked).toHaveLength(2);
});

test("the picture that was shown longest ago is removed first", async () => {
  const { pictures, revoked } = memory(10 * MEGABYTE);
  for (const address of ["/a", "/b", "/c"]) await pictures.of(address);
  pictures.now("/a");
  await pictures.of("/d");
  expect(revoked).toEqual(["blob:2"]);
  expect(["/a", "/b", "/c", "/d"].filter((address) => pictures.now(address))).toEqual(["/a", "/c", "/d"]);
});

test("a picture that was taken back is removed, even while it loads, and all are when the room is left", async () => {
  const { pictures, revoked } = memory();
  await pictures.of("/a");
  pictures.forget(["/a", "/none"]);
  expect([pictures.now("/a"), revoked]).toEqual([undefined, ["blob:1"]]);
  const coming = pictures.of("/b");
  pictures.forget(["/b"]);
  await coming;
  expect([pictures.now("/b"), revoked]).toEqual([undefined, ["blob:1", "blob:2"]]);
  await pictures.of("/c");
  pictures.forgetAll();
  expect(revoked).toEqual(["blob:1", "blob:2", "blob:3"]);
});
