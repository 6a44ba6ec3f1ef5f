import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { MyRooms } from "./MyRooms";
import { RoomsFeed } from "./RoomsFeed";

const ID = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";

const onRemoved = vi.fn(async () => {});

let feed: RoomsFeed;

function open() {
  feed = new RoomsFeed("some-body", onRemoved);
  feed.start();
  renderPage(<MyRooms feed={feed} onForget={onRemoved} />);
}

afterEach(() => feed.stop());

/** A list with one group in it. */
const owls = () =>
  Response.json({ status: 200, data: [{ id: ID, name: "owls", date: "2026-01-01 10:00:00" }] });
const nothing = () => Response.json({ status: 200, data: [] });
const done = () => Response.json({ status: 200, message: "Group deleted" });
const gone = () => Response.json({ status: 404, message: "Sorry" }, { status: 404 });

function answers(list: () => Response, removal: () => Response = done) {
  const fetched = vi.fn(async (_: string, { method }: RequestInit) =>
    method === "DELETE" ? removal() : list(),
  );
  vi.stubGlobal("fetch", fetched);
  return { removals: () => fetched.mock.calls.filter(([, { method }]) => method === "DELETE").length };
}

async function confirmation() {
  fireEvent.click(await screen.findByRole("button", { name: "Delete owls" }));
  return within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" });
}

test("a group that has ended meanwhile can be removed all the same", async () => {
  answers(owls, gone);
  open();
  fireEvent.click(await confirmation());
  await screen.findByText(/no available rooms/);
  expect(onRemoved.mock.calls).toEqual([[ID]]);
});

test("pressing twice asks the server once", async () => {
  const { removals } = answers(owls);
  open();
  const confirm = await confirmation();
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await screen.findByText(/no available rooms/);
  expect(removals()).toBe(1);
});

test("a list that is viewed again no longer has groups that have ended", async () => {
  answers(owls);
  open();
  await screen.findByText("owls");
  answers(() => Response.json({ status: 503, message: "" }, { status: 503 }));
  document.dispatchEvent(new Event("visibilitychange"));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
  document.dispatchEvent(new Event("visibilitychange"));
  answers(nothing);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(screen.getByText("owls")).toBeTruthy();
  await screen.findByText(/no available rooms/);
});
