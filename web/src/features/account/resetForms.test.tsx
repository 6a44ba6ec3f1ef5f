import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { NewPasswordForm, ResetForm } from "./resetForms";

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("what is said of one address isn't left standing beside another", async () => {
  const answer = "If there’s an account with this address, we've emailed it a link.";
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, message: answer }));
  renderPage(<ResetForm />);
  type("Email", "some@body.example");
  press("Send link");
  await screen.findByText(answer);
  type("Email", "somebody");
  press("Send link");
  expect(screen.getByText("Invalid Email")).toBeTruthy();
  expect(screen.queryByText(answer)).toBeNull();
  type("Email", "somebody@else.example");
  expect(screen.queryByText("Invalid Email")).toBeNull();
});

test("a new password isn't found wrong while it is typed", () => {
  renderPage(<NewPasswordForm token="t" />);
  const [next, again] = ["New password", "Confirm new password"] as const;
  type(next, "short");
  press("Save password");
  expect(screen.getByText("Password must be 8 characters or above")).toBeTruthy();
  type(next, "long enough");
  expect(screen.queryByText("Password must be 8 characters or above")).toBeNull();
  type(again, "something else");
  press("Save password");
  expect(screen.getByText("Password do not match")).toBeTruthy();
  type(next, "something else");
  expect(screen.queryByText("Password do not match")).toBeNull();
});
