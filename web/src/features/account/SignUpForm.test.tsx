import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { refusalOf } from "@/shared/testing/refusalOf";
import { renderPage } from "@/shared/testing/renderPage";
import { SignUpForm } from "./SignUpForm";

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
