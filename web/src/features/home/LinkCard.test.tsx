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
  await waitFor(() => expect(share.mock.calls).toEqual([[link]]));
});

test("of a sealed inbox the link names the key, also if it is shared before the server has said so", async () => {
  seal = { key: KEY, wrapped: "", on: true, open_notes: false };
  const share = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { share, languages: ["en"] });
  const shared = async (times: number) => {
    fireEvent.click(screen.getByRole("button", { name: "Share your link" }));
    await waitFor(() => expect(share).toHaveBeenCalledTimes(times));
    return new URL(share.mock.lastCall?.[0].url);
  };
  const { unmount } = render(<LinkCard folds username="wildfox" />);
  const hash = `#k=${await fingerprintOf(KEY)}`;
  expect(await shared(1)).toMatchObject({ pathname: "/wildfox", hash });
  unmount();
  seal = null;
  render(<LinkCard folds username="tamefox" />);
  expect(await shared(2)).toMatchObject({ pathname: "/tamefox", hash: "" });
});

test("the link is copied with its key, also if that is still to come", async () => {
  seal = { key: KEY, wrapped: "", on: true, open_notes: false };
  const copied: string[] = [];
  class ClipboardItem {
    items: Record<string, Promise<Blob>>;
    constructor(items: Record<string, Promise<Blob>>) {
      this.items = items;
    }
  }
  vi.stubGlobal("ClipboardItem", ClipboardItem);
  const clipboard = {
    write: async ([item]: ClipboardItem[]) =>
      copied.push((await (await item?.items["text/plain"])?.text()) ?? ""),
    writeText: async (text: string) => copied.push(text),
  };
  vi.stubGlobal("navigator", { clipboard, languages: ["en"] });
  render(<LinkCard username="wildfox" />);
  const copy = screen.getByRole("button", { name: "Copy link" });
  const link = expect.stringMatching(`/wildfox#k=${await fingerprintOf(KEY)}$`);
  fireEvent.click(copy);
  await waitFor(() => expect(copied).toEqual([link]));
  fireEvent.click(copy);
  await waitFor(() => expect(copied).toEqual([link, link]));
});

test("each target gets the words and the link, encoded", () => {
  const targets = shareTargets("https://a.example/some-body", "Tell me: what & why?");
  const query = (target: string) => Object.fromEntries(new URL(target).searchParams);
  expect(query(targets.whatsapp)).toEqual({ text: "Tell me: what & why? https://a.example/some-body" });
  for (const target of [targets.messenger, targets.post])
    expect(query(target)).toEqual({ text: "Tell me: what & why?", url: "https://a.example/some-body" });
});
