import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { goOnAt } from "./outcome";

afterEach(cleanup);

test("an outcome is at the top of the screen, with the focus on it, once", () => {
  const scrolled = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  const sent = () => (
    <h1 ref={goOnAt} tabIndex={-1}>
      Sent
    </h1>
  );
  const { rerender } = render(sent());
  expect(document.activeElement).toBe(screen.getByText("Sent"));
  rerender(sent());
  expect(scrolled.mock.calls).toEqual([[0, 0]]);
});
