import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { ConfirmForm } from "./ConfirmForm";

const open = () => renderPage(<ConfirmForm token="secret" />, { "/login": "the login" });

/** A server for which the link belongs to `some-body`. All other calls get this answer. Gives the list of all calls. */
function knows(status: number, message: string) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) => {
    asked.push(`${options.method} ${path} ${options.body}`);
    if (path.endsWith("/account")) return Response.json({ status: 200, username: "some-body" });
    return Response.json({ status, message }, { status });
  });
  return asked;
}

const DEAD = "This link has already been used or is too old. Get a new one.";

test.each([
  ["no answer", () => Promise.reject(new TypeError("no network"))],
  ["a server in trouble", async () => Response.json({ status: 503, message: "Busy" }, { status: 503 })],
  ["too many questions", async () => Response.json({ status: 429, message: "Wait" }, { status: 429 })],
])("%s: the link may be looked up again", async (_, trouble) => {
  vi.stubGlobal("fetch", trouble);
  open();
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getByRole("alert").textContent).not.toBe("");
  knows(200, "Address confirmed");
  fireEvent.click(again);
  expect(await screen.findByRole("button", { name: "Yes, it’s mine" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test.each([
  ["Yes, it’s mine", "No, it isn’t mine", "POST"],
  ["No, it isn’t mine", "Yes, it’s mine", "DELETE"],
])("%s: while that is under way, the other does nothing", async (first, second, method) => {
  const asked = knows(200, "Done");
  open();
  const pressed = await screen.findByRole("button", { name: first });
  const other = screen.getByRole("button", { name: second });
  fireEvent.click(pressed);
  fireEvent.click(other);
  await screen.findByText("the login");
  expect(asked.slice(1)).toEqual([expect.stringMatching(`^${method} `)]);
});

test.each(["Yes, it’s mine", "No, it isn’t mine"])("%s: a link that died meanwhile says so", async (name) => {
  knows(400, DEAD);
  open();
  fireEvent.click(await screen.findByRole("button", { name }));
  expect(await screen.findByText(DEAD)).toBeTruthy();
});
