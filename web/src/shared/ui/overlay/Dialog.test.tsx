import { fireEvent, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, test, vi } from "vitest";
import { Dialog } from "./Dialog";

function pressAndLift(from: Element, to: Element) {
  fireEvent.pointerDown(from);
  fireEvent.click(to);
}

test("a press beside the dialog closes it, but not a press that began in the dialog", () => {
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

test("Escape closes the dialog as soon as the dialog is visible", () => {
  const onClose = vi.fn();
  function Page() {
    // At this moment the dialog is in the page, but the browser has not drawn it yet.
    useLayoutEffect(() => void fireEvent.keyDown(window, { key: "Escape" }), []);
    return (
      <Dialog onClose={onClose} title="Delete it?">
        <p>Words</p>
      </Dialog>
    );
  }
  render(<Page />);
  expect(onClose).toHaveBeenCalledOnce();
});
