import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { encoded } from "@/shared/base64url";
import { forgetPushBrowser, pushBrowser } from "@/shared/testing/pushBrowser";
import { renderPage } from "@/shared/testing/renderPage";
import { AwayOfConversation } from "./AwayOfConversation";

afterEach(forgetPushBrowser);

test("who wrote a note is told of an answer by the conversation's key, and the link is remembered", async () => {
  pushBrowser();
  const asked: [string, string, string | null][] = [];
  vi.stubGlobal("fetch", async (url: string, { method = "", headers = {} }: RequestInit = {}) => {
    asked.push([method, url, new Headers(headers).get("authorization")]);
    const key = encoded(new Uint8Array(65).fill(4));
    return Response.json({
      status: 200,
      data: method === "PUT" ? { id: "own" } : { key, subscriptions: [] },
    });
  });
  const onBegin = vi.fn();
  const secret = encoded(new Uint8Array(16).fill(7));
  renderPage(<AwayOfConversation id="talk" onBegin={onBegin} onClose={() => {}} secret={secret} />, {});
  const answered = await screen.findByRole("switch", { name: "There’s an answer in this conversation" });
  expect(screen.getAllByRole("switch")).toEqual([answered]);
  fireEvent.click(answered);
  await screen.findByRole("switch", { name: "Quiet hours" });
  expect(onBegin).toHaveBeenCalledOnce();
  fireEvent.click(answered);
  await waitFor(() => expect(screen.queryByRole("switch", { name: "Quiet hours" })).toBeNull());
  const calls = asked.map(([method, url]) => `${method} ${url}`);
  expect(calls).toEqual([
    "GET /api/conversation/talk/push",
    "PUT /api/conversation/talk/push",
    "DELETE /api/conversation/talk/push?subscription=own",
  ]);
  for (const [, , authorization] of asked) expect(authorization).toMatch(/^Annon ./);
});
