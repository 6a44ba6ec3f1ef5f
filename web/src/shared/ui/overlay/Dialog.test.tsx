import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Dialog } from "./Dialog";

function pressAndLift(from: Element, to: Element) {
  fireEvent.pointerDown(from);
  fireEvent.click(to);
}

test("a press beside it closes it, but not one that began in it", () => {
  const onClose = vi.fn();
  render(
    <Dialog onClose={onClose} title="Delete it?">
      <p>Words</p>
    </Dialog>,
  );
  const dialog = screen.getByRole("dialog", { name: "Delete it?" });
  pressAndLift(screen.getByText("Words"), dialog);
  pressAndLift(dialog, screen.getByText("Words"));
  expect(onClose).not.toHaveBeenCalled();
  pressAndLift(dialog, dialog);
  expect(onClose).toHaveBeenCalledOnce();
});
