import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmForm } from "./ConfirmForm";
import { SettingsPage } from "./SettingsPage";

afterEach(cleanup);

function open(page: React.ReactNode) {
  const routes = [
    { path: "/", element: page },
    { path: "/login", element: <p>the login</p> },
  ];
  render(<RouterProvider router={createMemoryRouter(routes)} />);
}

test("an address is confirmed by the button and not by opening the page", async () => {
  const fetchMock = vi.fn<typeof fetch>(async () =>
    Response.json({ status: 200, message: "Address confirmed" }),
  );
  vi.stubGlobal("fetch", fetchMock);
  open(<ConfirmForm token="secret" />);
  const button = screen.getByRole("button", { name: "Confirm address" });
  expect(fetchMock).not.toHaveBeenCalled();
  fireEvent.click(button);
  await screen.findByText("the login");
  const [path, options] = fetchMock.mock.calls[0] ?? [];
  expect([path, options?.method, options?.body]).toEqual([
    "/api/confirm-email",
    "POST",
    '{"token":"secret"}',
  ]);
});

test("a link that is too old says so and stays", async () => {
  const dead = "This link has already been used or is too old. Get a new one.";
  vi.stubGlobal("fetch", async () => Response.json({ status: 400, message: dead }, { status: 400 }));
  open(<ConfirmForm token="secret" />);
  fireEvent.click(screen.getByRole("button", { name: "Confirm address" }));
  expect(await screen.findByText(dead)).toBeTruthy();
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
