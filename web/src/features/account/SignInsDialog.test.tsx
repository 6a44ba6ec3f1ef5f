import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { refusalOf } from "@/shared/testing/refusalOf";
import { renderPage } from "@/shared/testing/renderPage";
import { SignInsDialog } from "./SignInsDialog";

const session = (id: string, more: object) => ({
  id,
  browser: "Firefox",
  system: "Android",
  began: "2026-11-30",
  used: "2026-11-30",
  open: true,
  current: false,
  unknown: false,
  ...more,
});

let asked: string[];
/** The status of the next deletion. */
let deletion: number;

beforeEach(async () => {
  asked = [];
  deletion = 200;
  const data = [
    session("own", { current: true, browser: "Chrome", system: "Linux", unknown: true }),
    session("phone", { unknown: true }),
    session("app", { browser: null, system: null, used: "2026-12-01" }),
    session("over", { open: false, unknown: true }),
  ];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([init?.method, url].filter(Boolean).join(" "));
    if (init?.method !== "DELETE") return Response.json({ status: 200, data });
    const body = deletion === 404 ? refusalOf("nothing_here") : { status: deletion, message: "" };
    return Response.json(body, { status: deletion });
  });
  renderPage(<SignInsDialog onClose={() => {}} />, {});
  await screen.findByText("Chrome on Linux");
});

const rows = () => screen.getAllByRole("listitem").map((row) => row.textContent);
const end = (program: string) => screen.getByRole("button", { name: `Sign out: ${program}` });

test("it lists what is open, and names this browser and new ones", () => {
  expect(rows()).toEqual([
    "Chrome on Linux Since Nov 30, 2026This browser",
    "Firefox on Android NewSince Nov 30, 2026Sign out",
    "An app Since Nov 30, 2026, last used Dec 1, 2026Sign out",
  ]);
});

test("one is ended, also if it has ended by itself, and stays if that fails", async () => {
  fireEvent.click(end("Firefox on Android"));
  await waitFor(() => expect(rows().length).toBe(2));
  expect(asked).toContain("DELETE /api/session/phone");
  expect(notices.getState()?.title).toBe("Signed out there");
  deletion = 503;
  fireEvent.click(end("An app"));
  await waitFor(() => expect(asked.length).toBe(3));
  expect(rows().length).toBe(2);
  deletion = 404;
  fireEvent.click(end("An app"));
  await waitFor(() => expect(rows().length).toBe(1));
});

test("all others are ended together", async () => {
  fireEvent.click(screen.getByRole("button", { name: "Sign out everywhere else" }));
  await waitFor(() => expect(rows().length).toBe(1));
  expect(asked).toContain("DELETE /api/sessions");
  expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).toBeNull();
});
