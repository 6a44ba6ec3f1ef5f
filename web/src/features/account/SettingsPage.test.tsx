import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { device } from "@/shared/session/device";
import { refusalOf } from "@/shared/testing/refusalOf";
import { renderPage } from "@/shared/testing/renderPage";
import { SettingsPage } from "./SettingsPage";

const user = { username: "some-body", email: "some@body.example" };

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, batches: true }));
  renderPage(<SettingsPage user={user} />, { "/login": "the login" });
});

const PASSWORDS = ["Current password", "New password", "Confirm new password"];

/** The dialog of that name, in which the same word stands in each field. */
function filled(name: string, labels: string[]) {
  fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${name}`) }));
  const dialog = within(screen.getByRole("dialog"));
  for (const label of labels) {
    fireEvent.change(dialog.getByLabelText(label), { target: { value: "battery staple" } });
  }
  return dialog;
}

test.each([
  ["Change Password", PASSWORDS],
  ["Delete Account", ["Your password"]],
])("%s: who was signed out meanwhile is led to the login; a wrong password isn't", async (name, labels) => {
  const dialog = filled(name, labels);
  const press = () => fireEvent.click(dialog.getByRole("button", { name }));

  vi.stubGlobal("fetch", async () => Response.json({ message: "incorrect password!" }, { status: 403 }));
  press();
  await dialog.findByText("incorrect password!");

  answers(401, refusalOf("signed_out"));
  press();
  await screen.findByText("the login");
});

test("who changes the password stays a browser that the server knows", async () => {
  device.keep("before");
  const dialog = filled("Change Password", PASSWORDS);
  answers(200, { message: "Password Changed!", device: "after" });
  fireEvent.click(dialog.getByRole("button", { name: "Change Password" }));
  await waitFor(() => expect(device.shown()).toEqual({ device: "after" }));
});

/** The next calls are answered so; what they were is kept. */
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

  test("shows how it is, and can't be used before that is known", async () => {
    const asked = answers(200, { batches: false });
    fireEvent.click(button());
    expect(asked).toEqual([]);
    await known();
    expect(button().getAttribute("aria-disabled")).toBe("false");
  });

  test("stays as it is when that fails, and leads who was signed out to the login", async () => {
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
