import { expect, test, vi } from "vitest";
import { handOn, personalLink, roomLink, signUpLink } from "./links";

test("links are whole addresses of this site", () => {
  const { origin } = window.location;
  expect(personalLink("wild-fox")).toBe(`${origin}/wild-fox`);
  expect(roomLink("0b2d")).toBe(`${origin}/room/0b2d`);
  expect(signUpLink()).toBe(`${origin}/signup`);
});

test("whoever thinks better of handing one on has done nothing wrong", async () => {
  const share = vi.fn().mockRejectedValue(new DOMException("Share canceled", "AbortError"));
  vi.stubGlobal("navigator", { share });
  await handOn({ title: "owls", url: "https://a.example" });
  expect(share).toHaveBeenCalledWith({ title: "owls", url: "https://a.example" });
});
