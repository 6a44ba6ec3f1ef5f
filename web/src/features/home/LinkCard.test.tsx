import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { encoded } from "@/shared/base64url";
import { fingerprintOf } from "@/shared/sealing/fingerprint";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { shareTargets } from "./HomeCards";
import { LinkCard } from "./LinkCard";

const KEY = encoded(new Uint8Array(65).fill(4));
let seal: { key: string; wrapped: string; on: boolean; open_notes: boolean } | null;

beforeEach(() => {
  seal = null;
  useOwnSeal.setState({ username: "", here: "no" }, true);
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, data: seal }));
});

test("the row gives the link to the system's share sheet, and closing the sheet is no failure", async () => {
  const share = vi.fn().mockRejectedValue(new DOMException("Share canceled", "AbortError"));
  vi.stubGlobal("navigator", { share, languages: ["en"] });
  render(<LinkCard folds username="wildfox" />);
  fireEvent.click(screen.getByRole("button", { name: "Share your link" }));
  const link = expect.objectContaining({ url: expect.stringMatching(/\/wildfox$/) });
  expect(share.mock.calls).toEqual([[link]]);
});

test("of a sealed inbox the link names the key, and of another account's it doesn't", async () => {
  seal = { key: KEY, wrapped: "", on: true, open_notes: false };
  const share = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { share, languages: ["en"] });
  const shared = () => {
    fireEvent.click(screen.getByRole("button", { name: "Share your link" }));
    return new URL(share.mock.lastCall?.[0].url);
  };
  const { unmount } = render(<LinkCard folds username="wildfox" />);
  const hash = `#k=${await fingerprintOf(KEY)}`;
  await waitFor(() => expect(shared()).toMatchObject({ pathname: "/wildfox", hash }));
  unmount();
  seal = null;
  render(<LinkCard folds username="tamefox" />);
  expect(shared()).toMatchObject({ pathname: "/tamefox", hash: "" });
});

test("each target gets the words and the link, encoded", () => {
  const targets = shareTargets("https://a.example/some-body", "Tell me: what & why?");
  const query = (target: string) => Object.fromEntries(new URL(target).searchParams);
  expect(query(targets.whatsapp)).toEqual({ text: "Tell me: what & why? https://a.example/some-body" });
  for (const target of [targets.messenger, targets.post])
    expect(query(target)).toEqual({ text: "Tell me: what & why?", url: "https://a.example/some-body" });
});
