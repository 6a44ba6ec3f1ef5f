import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encoded } from "@/shared/base64url";
import { notices } from "@/shared/notices";
import { ENDPOINT, forgetPushBrowser, pushBrowser } from "@/shared/testing/pushBrowser";
import { renderPage } from "@/shared/testing/renderPage";
import { AwaySettings } from "./AwaySettings";

const KEY = encoded(new Uint8Array(65).fill(4));
/** What the server calls this browser. */
const OWN = "aTDCpbtrjzPNGp8kCaZjOg";
const OTHER = { id: "other", kinds: ["note"], quiet: null, added: "2026-11-30" };

let asked: string[];
let subscriptions: object[];

beforeEach(() => {
  [asked, subscriptions] = [[], [OTHER]];
  pushBrowser();
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([init?.method, url, init?.body].filter(Boolean).join(" "));
    if (url === "/api/digest") return Response.json({ status: 200, message: "", data: { on: false } });
    const data = init?.method === "PUT" ? { id: OWN } : { key: KEY, subscriptions };
    return Response.json({ status: 200, message: "", data });
  });
});

afterEach(forgetPushBrowser);

const open = async () => {
  renderPage(<AwaySettings onClose={() => {}} />, {});
  await screen.findByText(/Your browser’s maker/);
  await waitFor(() => expect(screen.queryByText("Loading…")).toBeNull());
};
const toggle = (name: string) => screen.findByRole("switch", { name });
const isOn = async (name: string) => ((await toggle(name)) as HTMLInputElement).checked;

test("the first switch subscribes the browser, the last one ends it", async () => {
  await open();
  fireEvent.click(await toggle("Someone left you a note"));
  await waitFor(async () => expect(await isOn("Someone left you a note")).toBe(true));
  const put = asked.find((call) => call.startsWith("PUT /api/push "));
  expect(JSON.parse(put?.slice("PUT /api/push ".length) ?? "")).toEqual({
    endpoint: ENDPOINT,
    keys: { p256dh: "p", auth: "a" },
    kinds: ["note"],
    quiet: null,
    language: "en",
  });
  expect(notices.getState()?.title).toBe("This browser tells you from now on");
  fireEvent.click(await toggle("Quiet hours"));
  await waitFor(() => expect(asked.some((call) => call.includes('"quiet":{"from":'))).toBe(true));
  expect(await screen.findByLabelText("From")).toHaveProperty("value", "22:00");
  fireEvent.click(await toggle("Someone left you a note"));
  await waitFor(() => expect(asked).toContain(`DELETE /api/push/${OWN}`));
  expect(screen.queryByRole("switch", { name: "Quiet hours" })).toBeNull();
});

test("who says no to the browser is told how to change that, and nothing is kept", async () => {
  pushBrowser("denied");
  await open();
  fireEvent.click(await toggle("Someone left you a note"));
  await screen.findByText(/doesn’t allow it for this site/);
  expect(asked.some((call) => call.startsWith("PUT"))).toBe(false);
});

test("other browsers are counted, and ended", async () => {
  await open();
  await screen.findByText("One other browser is told, too.");
  fireEvent.click(screen.getByRole("button", { name: "Stop telling the others" }));
  await waitFor(() => expect(asked).toContain("DELETE /api/push/other"));
  await waitFor(() => expect(screen.queryByText("One other browser is told, too.")).toBeNull());
});

test("a browser that can't be told says why", async () => {
  vi.stubGlobal("PushManager", undefined);
  Reflect.deleteProperty(window, "PushManager");
  await open();
  await screen.findByText(/can’t show anything while the page is closed/);
  // Mail is for those who have no push.
  expect(screen.getAllByRole("switch")).toHaveLength(1);
  expect(await toggle("Email me")).toBeTruthy();
});

test("the mail a day is switched on and off for the account", async () => {
  await open();
  expect(await isOn("Email me")).toBe(false);
  fireEvent.click(await toggle("Email me"));
  await waitFor(() => expect(asked).toContain('PUT /api/digest {"on":true}'));
  await waitFor(async () => expect(await isOn("Email me")).toBe(true));
  expect(notices.getState()?.title).toBe("We’ll email you when something is waiting");
  fireEvent.click(await toggle("Email me"));
  await waitFor(() => expect(asked).toContain('PUT /api/digest {"on":false}'));
});
