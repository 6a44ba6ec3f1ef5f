import { expect, test } from "vitest";
import { shareTargets } from "./HomeCards";

test("each target gets the words and the link, encoded", () => {
  const targets = shareTargets("https://a.example/some-body", "Tell me: what & why?");
  expect(new URL(targets.whatsapp).searchParams.get("text")).toBe(
    "Tell me: what & why? https://a.example/some-body",
  );
  for (const target of [targets.messenger, targets.post]) {
    const { searchParams } = new URL(target);
    expect(searchParams.get("text")).toBe("Tell me: what & why?");
    expect(searchParams.get("url")).toBe("https://a.example/some-body");
  }
});
