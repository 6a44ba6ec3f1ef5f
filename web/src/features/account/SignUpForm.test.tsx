import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { refusalOf } from "@/shared/testing/refusalOf";
import { renderPage } from "@/shared/testing/renderPage";
import { SignUpForm, SignUpPage } from "./SignUpForm";

const CODES = {
  username_taken: "Username",
  email_taken: "Email",
  password_too_common: "Password",
  password_is_username: "Password",
} as const;

test.each(Object.entries(CODES) as [keyof typeof CODES, string][])(
  "a refusal with %s is shown at the field %s, which gets the focus",
  async (code, label) => {
    vi.stubGlobal("fetch", async () => Response.json({ status: 422, ...refusalOf(code) }, { status: 422 }));
    renderPage(<SignUpForm />);
    const write = (field: string, value: string) =>
      fireEvent.change(screen.getByLabelText(field), { target: { value } });
    write("Username", "wildfox");
    write("Email", "wild@fox.example");
    write("Password", "correct horse");
    fireEvent.click(screen.getByRole("button", { name: "Create account" }));
    const field = screen.getByLabelText(label);
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const about = field.getAttribute("aria-describedby")?.split(" ")[0] ?? "";
    expect(document.getElementById(about)?.textContent).toMatch(/taken|exists|guess|username/);
    expect(screen.getByRole("alert").textContent).toBe("");
    write(label, "another one");
    expect(screen.getByLabelText(label).getAttribute("aria-invalid")).toBeNull();
  },
);

afterEach(() => {
  delete document.documentElement.dataset.signUp;
  window.location.hash = "";
});

test("where sign-up is closed there is no form", () => {
  document.documentElement.dataset.signUp = "closed";
  renderPage(<SignUpPage />);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("heading").textContent).toContain("Closed");
});

test("the invitation of the link is filled in and sent, and one that was used is said at its field", async () => {
  document.documentElement.dataset.signUp = "invitation";
  window.location.hash = "#i=a-token";
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string));
    return Response.json({ status: 403, ...refusalOf("invitation_invalid") }, { status: 403 });
  });
  renderPage(<SignUpPage />);
  const invitation = screen.getByLabelText("Invitation") as HTMLInputElement;
  await waitFor(() => expect(invitation.value).toBe("a-token"));
  const write = (field: string, value: string) =>
    fireEvent.change(screen.getByLabelText(field), { target: { value } });
  write("Invitation", " https://annon.example/signup#i=other-token ");
  write("Username", "wildfox");
  write("Email", "wild@fox.example");
  write("Password", "correct horse");
  fireEvent.click(screen.getByRole("button", { name: "Create account" }));
  await waitFor(() => expect(invitation.getAttribute("aria-invalid")).toBe("true"));
  expect(sent).toMatchObject([{ invitation: "other-token", username: "wildfox" }]);
});
