import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SettingsPage } from "./SettingsPage";

const onSignedOut = vi.fn();
const user = { username: "some-body", email: "some@body.example" };

beforeEach(() => {
  onSignedOut.mockReset();
  const page = <SettingsPage onSignedOut={onSignedOut} user={user} />;
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element: page }])} />);
});

afterEach(cleanup);

test.each([
  ["Change Password", ["Current password", "New password", "New password, once more"]],
  ["Delete Account", ["Your password"]],
])("%s: who was signed out meanwhile is led to the login; a wrong password isn't", async (name, labels) => {
  fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${name}`) }));
  const dialog = within(screen.getByRole("dialog"));
  for (const label of labels) {
    fireEvent.change(dialog.getByLabelText(label), { target: { value: "battery staple" } });
  }
  const press = () => fireEvent.click(dialog.getByRole("button", { name }));

  vi.stubGlobal("fetch", async () => Response.json({ message: "incorrect password!" }, { status: 403 }));
  press();
  await dialog.findByText("incorrect password!");
  expect(onSignedOut).not.toHaveBeenCalled();

  vi.stubGlobal("fetch", async () => Response.json({ message: "Sign in to go on." }, { status: 401 }));
  press();
  await waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce());
  expect(dialog.queryByText("Sign in to go on.")).toBeNull();
});
