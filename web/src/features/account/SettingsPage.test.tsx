import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { keepEntries } from "@/shared/overlays";
import { PROMISED } from "@/shared/session/inboxOnDevice";
import { refusalOf } from "@/shared/testing/refusalOf";
import { renderPage } from "@/shared/testing/renderPage";
import { SettingsPage } from "./SettingsPage";

const user = { username: "some-body", email: "some@body.example" };

const SETTINGS = { batches: true, paused: false, shield: "auto", held_words: [] };

let router: ReturnType<typeof renderPage>;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, ...SETTINGS }));
  router = renderPage(<SettingsPage user={user} />, { "/login": "the login" });
});

/** The next calls get this answer. Gives the list of these calls. */
function answers(status: number, body: object) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([init?.method, url, init?.body].filter(Boolean).join(" "));
    return Response.json({ status, ...body }, { status });
  });
  return asked;
}

describe("the switch for batches", () => {
  const button = () => screen.getByRole("switch", { name: "Deliver in batches" });
  const isOn = () => button().getAttribute("aria-checked") === "true";
  const known = () => waitFor(() => expect(isOn()).toBe(true));

  test("shows how it is, can't be used before that is known, and tells the server", async () => {
    const asked = answers(200, { ...SETTINGS, batches: false });
    fireEvent.click(button());
    expect(asked).toEqual([]);
    await known();
    expect(button().getAttribute("aria-disabled")).toBe("false");
    fireEvent.click(button());
    await screen.findByRole("switch", { checked: false });
    expect(asked).toEqual(['PATCH /api/inbox {"batches":false}']);
    expect(notices.getState()?.title).toBe("Notes now arrive the moment they’re sent");
  });

  test("stays as it is when that fails, and leads who was signed out to the login", async () => {
    keepEntries(router);
    await known();
    answers(503, { message: "The server can't store anything right now. Try again later." });
    fireEvent.click(button());
    await waitFor(() => expect(button().getAttribute("aria-disabled")).toBe("false"));
    expect(isOn()).toBe(true);
    answers(401, refusalOf("signed_out"));
    fireEvent.click(button());
    await screen.findByText("the login");
  });
});

test("with the account the device forgets which deletions it had promised", async () => {
  localStorage.setItem(`${PROMISED}some-body.17`, "0");
  localStorage.setItem("other", "stays");
  answers(200, { message: "Account deleted" });
  fireEvent.click(screen.getByRole("button", { name: /^Delete Account/, hidden: true }));
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.change(dialog.getByLabelText("Your password"), { target: { value: "correct horse" } });
  fireEvent.click(dialog.getByRole("button", { name: "Delete Account" }));
  await screen.findByText("the login");
  expect(Object.keys(localStorage)).toEqual(["other"]);
});
