import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LinkCard } from "./LinkCard";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const row = () => screen.getByRole("button", { name: /\/ ?wildfox$/ });

test("a folded card is opened and closed by its address, and opens folded the next time", () => {
  const { unmount } = render(<LinkCard folds username="wildfox" />);
  expect(row().getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(row());
  expect(row().getAttribute("aria-expanded")).toBe("true");
  expect(document.getElementById(row().getAttribute("aria-controls") ?? "")?.textContent).toContain(
    "Your inbox link",
  );
  unmount();
  render(<LinkCard folds username="wildfox" />);
  expect(row().getAttribute("aria-expanded")).toBe("false");
});

test("the row hands the link to the system's share sheet, where there is one", async () => {
  const share = vi.fn(async () => {});
  vi.stubGlobal("navigator", { share });
  render(<LinkCard folds username="wildfox" />);
  fireEvent.click(screen.getByRole("button", { name: "Share your link" }));
  await waitFor(() =>
    expect(share.mock.calls).toEqual([
      [expect.objectContaining({ url: expect.stringMatching(/\/wildfox$/) })],
    ]),
  );
});

test("a card that doesn't fold has no row", () => {
  render(<LinkCard username="wildfox" />);
  expect(screen.queryByRole("button", { name: /\/ ?wildfox$/ })).toBeNull();
});
