import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { renderPage } from "@/shared/testing/renderPage";
import { AccountNotices } from "./AccountNotices";

const session = (id: string, browser: string | null, open: boolean) => ({
  id,
  browser,
  system: browser && "Android",
  began: "2026-11-30",
  used: "2026-11-30",
  open,
  current: id === "own",
  unknown: true,
});

let asked: string[];

function shown(unknown_sign_ins?: number) {
  asked = [];
  const data = [
    session("own", "Chrome", true),
    session("phone", "Firefox", true),
    session("app", null, false),
  ];
  const user = { username: "some-body", email: "some@body.example", unknown_sign_ins };
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([init?.method, url].filter(Boolean).join(" "));
    return Response.json({ status: 200, message: "", user, data });
  });
  renderPage(<AccountNotices />, { "/settings": "the settings" });
}

beforeEach(() => notices.setState(undefined, true));

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("it asks about each sign-in from a browser that the account didn't know", async () => {
  shown(2);
  await screen.findByText("Firefox on Android signed in to your account on Nov 30, 2026.");
  press("Yes, that was me");
  await screen.findByText("An app signed in to your account on Nov 30, 2026.");
  expect(asked).toContain("POST /api/session/phone/known");
  press("Yes, that was me");
  await waitFor(() => expect(screen.queryByText("Was that you?")).toBeNull());
});

test("what wasn't them is signed out, and a new password is next", async () => {
  shown(1);
  await screen.findByText("Was that you?");
  press("No");
  await screen.findByText("the settings");
  expect(asked).toContain("DELETE /api/session/phone");
  expect(notices.getState()?.title).toBe("Signed out there");
});

test("it asks nothing where there is nothing to ask", async () => {
  shown();
  await waitFor(() => expect(asked).toEqual(["GET /api/dashboard"]));
  expect(screen.queryByText("Was that you?")).toBeNull();
});
