import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { INBOX_PAGE } from "@/shared/contract/limits";
import { renderPage } from "@/shared/testing/renderPage";
import { BlocksDialog } from "./BlocksDialog";

const COUNT = INBOX_PAGE + 2;

/** A server with so many blocks, the newest first. Gives the list of the calls. */
function blocking(count: number) {
  const asked: string[] = [];
  let blocks = Array.from({ length: count }, (_, n) => ({
    id: `block-${n}`,
    date: "2026-07-04 12:30:00",
    began: `message ${n}`,
  }));
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    const url = new URL(path, "http://here");
    asked.push([init?.method, url.pathname].filter(Boolean).join(" "));
    if (init?.method === "DELETE") {
      blocks = blocks.filter(({ id }) => !url.pathname.endsWith(`/${id}`));
      return Response.json({ status: 200, message: "Unblocked" });
    }
    const before = url.searchParams.get("before");
    const from = blocks.findIndex(({ id }) => id === before) + 1;
    const limit = Number(url.searchParams.get("limit"));
    return Response.json({ status: 200, data: blocks.slice(from, from + limit) });
  });
  renderPage(<BlocksDialog onClose={() => {}} />, {});
  return asked;
}

const undo = (n: number) => screen.findByRole("button", { name: new RegExp(`^Unblock: message ${n}, `) });
const older = () => screen.queryByRole("button", { name: "Show older" });

test("a long list comes in pages, and the focus goes on with the next one", async () => {
  blocking(COUNT);
  await undo(INBOX_PAGE - 1);
  expect(screen.queryByText(`message ${INBOX_PAGE}`)).toBeNull();
  fireEvent.click(await undo(INBOX_PAGE - 1));
  await waitFor(() => expect(screen.queryByText(`message ${INBOX_PAGE - 1}`)).toBeNull());
  fireEvent.click(older() as HTMLElement);
  const first = await undo(INBOX_PAGE);
  expect(document.activeElement).toBe(first);
  await undo(COUNT - 1);
  expect(older()).toBeNull();
  expect(screen.getAllByRole("listitem").length).toBe(COUNT - 1);
});

test("a list of one page has no button, and is empty once all of it is undone", async () => {
  const asked = blocking(1);
  fireEvent.click(await undo(0));
  await screen.findByText("You aren’t blocking anyone.");
  expect(older()).toBeNull();
  expect(asked.some((call) => call.startsWith("DELETE /api/block/block-0"))).toBe(true);
});
