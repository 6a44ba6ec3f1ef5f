import { expect, test } from "vitest";
import { qrOf, qrPath, qrSvg } from "./QrDialog";

test("a code has its three finders and a quiet zone", () => {
  const { size, modules } = qrOf("https://a.example/wildfox");
  expect(modules).toHaveLength(size);
  const row = (y: number, from: number) =>
    modules[y]
      ?.slice(from, from + 7)
      .map(Number)
      .join("");
  expect(row(4, 4)).toBe("1111111");
  expect(row(4, size - 11)).toBe("1111111");
  expect(row(size - 5, 4)).toBe("1111111");
  expect(row(5, 4)).toBe("1000001");
  for (let edge = 0; edge < 4; edge += 1) expect(modules[edge]?.some(Boolean)).toBe(false);
});

test("the drawing has a square for each dark module", () => {
  const code = qrOf("x");
  const dark = code.modules.flat().filter(Boolean).length;
  expect(qrPath(code).match(/M/g)).toHaveLength(dark);
  expect(qrSvg(code)).toContain(`viewBox="0 0 ${code.size} ${code.size}"`);
});
