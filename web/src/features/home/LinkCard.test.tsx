import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { shareTargets } from "./HomeCards";
import { LinkCard } from "./LinkCard";

test("the row gives the link to the system's share sheet, and closing the sheet is no failure", async () => {
  const share = vi.fn().mockRejectedValue(new DOMException("Share canceled", "AbortError"));
  vi.stubGlobal("navigator", { share });
  render(<LinkCard folds username="wildfox" />);
  fireEvent.click(screen.getByRole("button", { name: "Share your link" }));
  const link = expect.objectContaining({ url: expect.stringMatching(/\/wildfox$/) });
  expect(share.mock.calls).toEqual([[link]]);
});

test("each target gets the words and the link, encoded", () => {
  const targets = shareTargets("https://a.example/some-body", "Tell me: what & why?");
  const query = (target: string) => Object.fromEntries(new URL(target).searchParams);
  expect(query(targets.whatsapp)).toEqual({ text: "Tell me: what & why? https://a.example/some-body" });
  for (const target of [targets.messenger, targets.post])
    expect(query(target)).toEqual({ text: "Tell me: what & why?", url: "https://a.example/some-body" });
});
