import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmForm } from "./ConfirmForm";
import { SettingsPage } from "./SettingsPage";

afterEach(cleanup);

function open(page: React.ReactNode) {
  const routes = [
    { path: "/page", element: page },
    { path: "/login", element: <p>the login</p> },
  ];
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/page"] })} />);
}

/** A server that knows the link as one of `some-body`, and says so to the rest. What it was asked is kept. */
function knows(status: number, message: string) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) => {
    asked.push(`${options.method} ${path} ${options.body}`);
    if (path.endsWith("/account")) return Response.json({ status: 200, username: "some-body" });
    return Response.json({ status, message }, { status });
  });
  return asked;
}

const WHOSE = 'POST /api/confirm-email/account {"token":"secret"}';

test("the page names the account and asks, and an Enter says no", async () => {
  const asked = knows(200, "Link ended");
  open(<ConfirmForm token="secret" />);
  expect((await screen.findByRole("heading")).textContent).toContain("Is some-body yours?");
  const no = screen.getByRole("button", { name: "No, it isn’t mine" });
  expect(document.activeElement).toBe(no);
  expect(asked).toEqual([WHOSE]);
  fireEvent.click(no);
  await screen.findByText("the login");
  expect(asked).toEqual([WHOSE, 'DELETE /api/confirm-email {"token":"secret"}']);
});

test("an address is confirmed by a yes and not by opening the page", async () => {
  const asked = knows(200, "Address confirmed");
  open(<ConfirmForm token="secret" />);
  const yes = await screen.findByRole("button", { name: "Yes, it’s mine" });
  expect(asked).toEqual([WHOSE]);
  fireEvent.click(yes);
  await screen.findByText("the login");
  expect(asked).toEqual([WHOSE, 'POST /api/confirm-email {"token":"secret"}']);
});

const DEAD = "This link has already been used or is too old. Get a new one.";

test("a link that is too old says so and asks nothing", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 400, message: DEAD }, { status: 400 }));
  open(<ConfirmForm token="secret" />);
  expect(await screen.findByText(DEAD)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign in" })).toBeTruthy();
});

test.each([
  ["no answer", () => Promise.reject(new TypeError("no network"))],
  ["a server in trouble", async () => Response.json({ status: 503, message: "Busy" }, { status: 503 })],
  ["too many questions", async () => Response.json({ status: 429, message: "Wait" }, { status: 429 })],
])("%s: the link may be looked up again", async (_, trouble) => {
  vi.stubGlobal("fetch", trouble);
  open(<ConfirmForm token="secret" />);
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getByRole("alert").textContent).not.toBe("");
  knows(200, "Address confirmed");
  fireEvent.click(again);
  expect(await screen.findByRole("button", { name: "Yes, it’s mine" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test.each([
  ["Yes, it’s mine", "No, it isn’t mine"],
  ["No, it isn’t mine", "Yes, it’s mine"],
])("%s: while that is under way, the other does nothing", async (first, second) => {
  const asked = knows(200, "Done");
  open(<ConfirmForm token="secret" />);
  const pressed = await screen.findByRole("button", { name: first });
  const other = screen.getByRole("button", { name: second });
  fireEvent.click(pressed);
  fireEvent.click(other);
  await screen.findByText("the login");
  expect(asked).toHaveLength(2);
});

test.each(["Yes, it’s mine", "No, it isn’t mine"])("%s: a link that died meanwhile says so", async (name) => {
  knows(400, DEAD);
  open(<ConfirmForm token="secret" />);
  fireEvent.click(await screen.findByRole("button", { name }));
  expect(await screen.findByText(DEAD)).toBeTruthy();
});

test("the settings offer the link again while an address isn't confirmed", async () => {
  const fetchMock = vi.fn<typeof fetch>(async () => Response.json({ status: 200, message: "On its way" }));
  vi.stubGlobal("fetch", fetchMock);
  const user = { username: "some-body", email: "some@body.example" };
  open(<SettingsPage onSignedOut={vi.fn()} user={user} />);
  expect(screen.queryByRole("button", { name: "Send the link again" })).toBeNull();
  cleanup();
  open(<SettingsPage onSignedOut={vi.fn()} user={{ ...user, email_confirmed: false }} />);
  fireEvent.click(screen.getByRole("button", { name: "Send the link again" }));
  await waitFor(() => expect(fetchMock.mock.lastCall?.[0]).toBe("/api/user/send-confirmation"));
});
