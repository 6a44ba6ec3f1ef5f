import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { NewGroupPage } from "./NewGroupPage";

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  renderPage(<NewGroupPage />, {}, "/room/new");
});

const nameField = () => screen.getByLabelText<HTMLInputElement>("Group name");
const submit = () => screen.queryByRole("button", { name: "Create Group" });

function type(name: string) {
  fireEvent.change(nameField(), { target: { value: name } });
}

test("no more than thirty characters are taken", () => {
  type("x".repeat(40));
  expect(nameField().value).toBe("x".repeat(30));
});

test("a refusal stands at the field and leaves the name alone", async () => {
  const sentence = "You have as many groups as one account can have. Delete one first.";
  fetchMock.mockResolvedValue(Response.json({ status: 409, message: sentence }, { status: 409 }));
  type("midnight tacos");
  fireEvent.click(submit() as HTMLElement);
  await screen.findByText(sentence);
  expect(nameField().value).toBe("midnight tacos");
  expect(document.getElementById(nameField().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    sentence,
  );
  type("midnight taco");
  expect(screen.queryByText(sentence)).toBeNull();
});
