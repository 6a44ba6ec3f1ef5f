import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encoded } from "@/shared/base64url";
import { notices } from "@/shared/notices";
import { forgetPushBrowser, pushBrowser } from "@/shared/testing/pushBrowser";
import { renderPage } from "@/shared/testing/renderPage";
import { AwayOffer } from "./AwayOffer";
import { OF_ACCOUNT } from "./whose";

const KEY = encoded(new Uint8Array(65).fill(4));
const QUESTION = "Would you like to hear of new notes while this page is closed?";

let asked: string[];
let key: string | null;

beforeEach(() => {
  [asked, key] = [[], KEY];
  localStorage.clear();
  pushBrowser();
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${url}`);
    const data = init?.method === "PUT" ? { id: "own" } : { key, subscriptions: [] };
    return Response.json({ status: 200, message: "", data });
  });
});

afterEach(forgetPushBrowser);

const offer = () => renderPage(<AwayOffer away={OF_ACCOUNT} of="note" />, {});
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test("it is accepted by a tap, and not made again", async () => {
  offer();
  fireEvent.click(await screen.findByRole("button", { name: "Tell me" }));
  await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
  expect(asked).toContain("PUT /api/push");
  expect(notices.getState()?.title).toBe("This browser tells you from now on");
  cleanup();
  asked = [];
  offer();
  await settled();
  expect([screen.queryByText(QUESTION), asked]).toEqual([null, []]);
});

test("who says not now isn't asked again, and the browser asks nothing", async () => {
  offer();
  fireEvent.click(await screen.findByRole("button", { name: "Not now" }));
  expect(asked.some((call) => call.startsWith("PUT"))).toBe(false);
  cleanup();
  offer();
  await settled();
  expect(screen.queryByText(QUESTION)).toBeNull();
});

test("nothing is offered where it can't be had", async () => {
  key = null;
  offer();
  await settled();
  expect(screen.queryByText(QUESTION)).toBeNull();
});
