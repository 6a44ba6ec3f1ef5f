import { waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { inRoom } from "../../testing/inRoom";
import { BubbleQuote } from "./BubbleQuote";

test("a quoted picture that can't be loaded leaves no broken image", async () => {
  const quote = { sender: "🦊", words: "Photo", seq: 3, picture: "/gone" };
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  const { container } = inRoom(<BubbleQuote quote={quote} />, { emojis: new Set() });
  expect(container.querySelector("img")).not.toBeNull();
  await waitFor(() => expect(container.querySelector("img")).toBeNull());
  expect(container.textContent).toContain("Photo");
});
