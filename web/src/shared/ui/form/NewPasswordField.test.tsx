import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { NewPasswordField } from "./NewPasswordField";
import { strengthOf } from "./Strength";

test("how strong a password is depends on what others know, too", () => {
  expect(strengthOf("12345678", [])).toBe(0);
  expect(strengthOf("Passw0rd", [])).toBeLessThan(2);
  expect(strengthOf("wildfox-2004", ["wildfox"])).toBeLessThan(strengthOf("wildfox-2004", []));
  expect(strengthOf("purple staple under 7 moons", [])).toBe(4);
});

test("it is said from the first character on, in a region that was there before", async () => {
  const field = (value: string) => <NewPasswordField label="Password" onValue={() => {}} value={value} />;
  const { rerender } = render(field(""));
  const region = document.querySelector("[aria-live=polite]");
  expect(region?.textContent).toBe("");
  rerender(field("qwertyuiop"));
  expect(await screen.findByText("Very weak password")).toBeTruthy();
  expect(region?.textContent).toBe("Very weak password");
  rerender(field(""));
  expect(region?.textContent).toBe("");
});
