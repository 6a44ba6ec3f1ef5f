import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { device } from "@/shared/session/device";
import { renderPage } from "@/shared/testing/renderPage";
import { appText } from "@/shared/text/appText";
import { LoginForm } from "./LoginForm";

function signIn() {
  fireEvent.change(screen.getByLabelText("Username or email"), { target: { value: "some-body" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

test("who blocks cookies is told on the form what signing in needs, who blocks storage that it won't last", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, access_token: "a.b.c", device: "d" }));
  const router = renderPage(<LoginForm />, { "/homepage": "home" }, "/login");
  const jar = vi.spyOn(document, "cookie", "set").mockImplementation(() => {});
  signIn();
  await screen.findByText(/^Signing in needs cookies and site data/);
  expect(router.state.location.pathname).toBe("/login");
  jar.mockRestore();
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
  signIn();
  await screen.findByText("home");
  expect(notices.getState()?.title).toBe(appText.login.forThisPage);
});

test("who looks at the password is offered to hide it, and hears no more than that", () => {
  renderPage(<LoginForm />);
  fireEvent.click(screen.getByRole("button", { name: "Show password" }));
  expect(screen.getByLabelText("Password").getAttribute("type")).toBe("text");
  const hide = screen.getByRole("button", { name: "Hide password" });
  // Its name says it already: "hide, pressed" would be hidden.
  expect(hide.hasAttribute("aria-pressed")).toBe(false);
});

test("what the server gave this browser is shown at the next sign-in, and only there", async () => {
  device.forget();
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, options: RequestInit) => {
    bodies.push(JSON.parse(String(options.body)));
    return Response.json({ status: 200, access_token: "a.b.c", device: `given ${bodies.length}` });
  });
  for (const n of [1, 2]) {
    renderPage(<LoginForm />, { "/homepage": `home ${n}` });
    signIn();
    await screen.findByText(`home ${n}`);
    cleanup();
  }
  const form = { email_or_username: "some-body", password: "correct horse" };
  expect(bodies).toEqual([form, { ...form, device: "given 1" }]);
  expect(document.cookie).not.toContain("given");
});
