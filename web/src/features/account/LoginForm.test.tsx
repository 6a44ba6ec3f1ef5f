import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { LoginForm } from "./LoginForm";

afterEach(cleanup);

test("the way back from where the sign-in led doesn't lead to the form again", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, access_token: "a.b.c" }));
  const router = createMemoryRouter(
    [
      { path: "/", element: <p>landing</p> },
      { path: "/login", element: <LoginForm /> },
      { path: "/settings", element: <p>settings</p> },
    ],
    { initialEntries: ["/", { pathname: "/login", state: { from: "/settings" } }] },
  );
  render(<RouterProvider router={router} />);
  fireEvent.change(screen.getByLabelText("Username or email"), { target: { value: "some-body" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await screen.findByText("settings");
  await router.navigate(-1);
  expect(await screen.findByText("landing")).toBeTruthy();
});
