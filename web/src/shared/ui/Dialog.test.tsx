import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { ConfirmDialog } from "./ConfirmDialog";
import { Dialog } from "./Dialog";

/** Whose opener goes before the dialog does, as a note that is deleted takes its button along. */
function Page({ kind, openerGoes = false }: { kind: "plain" | "confirm"; openerGoes?: boolean }) {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState(false);
  const words = { title: "Delete it?", description: "There is no way back." };
  return (
    <main id="main" tabIndex={-1}>
      {!gone && (
        <button onClick={() => setOpen(true)} type="button">
          Open
        </button>
      )}
      {kind === "plain" ? (
        <Dialog {...words} onOpenChange={setOpen} open={open}>
          <p>Words</p>
        </Dialog>
      ) : (
        <ConfirmDialog
          {...words}
          action="Delete"
          onConfirm={() => {
            if (openerGoes) setGone(true);
            setOpen(false);
          }}
          onOpenChange={setOpen}
          open={open}
        />
      )}
    </main>
  );
}

function open(page: React.ReactElement, role: "dialog" | "alertdialog") {
  render(page);
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  return screen.getByRole<HTMLDialogElement>(role, { name: "Delete it?" });
}

function pressAndLift(from: Element, to: Element) {
  fireEvent.pointerDown(from);
  fireEvent.click(to);
}

afterEach(cleanup);

test("it is the browser's modal dialog, named and described", () => {
  const dialog = open(<Page kind="plain" />, "dialog");
  expect(dialog.open).toBe(true);
  const described = document.getElementById(dialog.getAttribute("aria-describedby") ?? "");
  expect(described?.textContent).toBe("There is no way back.");
});

test("what the browser closes, by Escape or the way back, is closed for the page, too", () => {
  const dialog = open(<Page kind="plain" />, "dialog");
  dialog.close();
  fireEvent(dialog, new Event("close"));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a press beside it closes it, but not one that began in it", () => {
  const dialog = open(<Page kind="plain" />, "dialog");
  pressAndLift(screen.getByText("Words"), dialog);
  pressAndLift(dialog, screen.getByText("Words"));
  expect(dialog.isConnected).toBe(true);
  pressAndLift(dialog, dialog);
  expect(dialog.isConnected).toBe(false);
});

test("a question is closed by an answer only", () => {
  const dialog = open(<Page kind="confirm" />, "alertdialog");
  pressAndLift(dialog, dialog);
  expect(dialog.isConnected).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(dialog.isConnected).toBe(false);
});

test("the page behind stands still as long as it is open", () => {
  const { style } = document.documentElement;
  const dialog = open(<Page kind="confirm" />, "alertdialog");
  expect(style.overflow).toBe("hidden");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([dialog.isConnected, style.overflow]).toEqual([false, ""]);
});

test("the focus goes to the page when what opened it went with it", () => {
  open(<Page kind="confirm" openerGoes />, "alertdialog");
  const answer = screen.getByRole("button", { name: "Delete" });
  answer.focus();
  fireEvent.click(answer);
  expect(document.activeElement).toBe(screen.getByRole("main"));
});
