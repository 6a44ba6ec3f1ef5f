import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MyGroups } from "./MyGroups";

const ID = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";

const onRemoved = vi.fn(async () => {});
const onFailure = vi.fn();

beforeEach(() => {
  onRemoved.mockReset().mockResolvedValue(undefined);
  onFailure.mockReset();
});

afterEach(cleanup);

function show() {
  const groups = () => <MyGroups onFailure={onFailure} onRemoved={onRemoved} username="some-body" />;
  render(<RouterProvider router={createMemoryRouter([{ path: "/", Component: groups }])} />);
}

test("what the device keeps of a group goes with the group, and not before", async () => {
  const answers = { get: { data: [{ id: ID, name: "owls", date: "2026-01-01 10:00:00" }] }, delete: {} };
  vi.stubGlobal("fetch", async (_: string, { method = "GET" }: RequestInit) =>
    Response.json({ status: 200, ...answers[method.toLowerCase() as "get" | "delete"] }),
  );
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  expect(onRemoved).not.toHaveBeenCalled();
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(onRemoved.mock.calls).toEqual([[ID]]));
});

test("a server that doesn't answer isn't taken for a network that is gone", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
  show();
  expect(await screen.findByText(/^The server doesn’t answer/)).toBeTruthy();
});
