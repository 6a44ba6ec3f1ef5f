import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keepEntries } from "@/shared/overlays";
import { PrivateLinkCard } from "./PrivateLinkCard";

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("a link that is remembered on the way out is remembered, too, if its user is back before the next page is drawn", async () => {
  const left = vi.fn(async () => {});
  const router = { state: { location: { key: "here" } }, navigate: left, revalidate: async () => {} };
  keepEntries(router);
  render(<PrivateLinkCard id="i" secret="s" to="wildfox" />);
  await act(() => router.navigate());
  fireEvent.click(
    within(screen.getByRole("dialog")).getByRole("button", { name: "Remember on this device" }),
  );
  await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
  expect(screen.getByText(/^This device remembers it/)).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});
