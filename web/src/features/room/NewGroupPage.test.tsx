import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { NewGroupPage } from "./NewGroupPage";

const ID = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  renderPage(<NewGroupPage onSignedOut={() => {}} />, {}, "/room/new");
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

test("the new group's link is shown, with the way in, and the focus is on it", async () => {
  fetchMock.mockResolvedValue(
    Response.json({ status: 201, room_id: ID, creator: "some-body" }, { status: 201 }),
  );
  type("midnight tacos");
  fireEvent.click(submit() as HTMLElement);
  const open = await screen.findByRole("link", { name: "Open Group" });
  expect(open.getAttribute("href")).toBe(`/room/${ID}`);
  expect(screen.getByText(`${window.location.host}/room/${ID}`)).toBeTruthy();
  expect(document.activeElement?.textContent).toContain("“midnight tacos” is open for 24 hours");
  fireEvent.click(screen.getByRole("button", { name: "Create another group" }));
  await waitFor(() => expect(document.activeElement).toBe(nameField()));
});
