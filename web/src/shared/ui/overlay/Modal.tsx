import { type DialogHTMLAttributes, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useOverlay } from "@/shared/overlays";
import { openModally } from "./openDialogs";

type Props = Omit<DialogHTMLAttributes<HTMLDialogElement>, "open"> & {
  onClose: () => void;
  /** Whether a press beside what it shows closes it, too. */
  closesBeside?: boolean;
};

/**
 * The browser's own modal dialog, as large as the window, open as long as it is drawn: the page behind is out of reach,
 * and Escape or Back closes it.
 */
export function Modal({ onClose, closesBeside = false, ...attributes }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useOverlay(onClose);
  useLayoutEffect(() => (dialog.current ? openModally(dialog.current) : undefined), []);

  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it
    <dialog
      {...attributes}
      onClick={({ target, currentTarget }) => {
        // Selecting text with the mouse beyond the edge is no press beside it.
        if (closesBeside && pressedBeside.current && target === currentTarget) onClose();
      }}
      // Only when it was the browser that closed it.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onPointerDown={({ target, currentTarget }) => {
        pressedBeside.current = target === currentTarget;
      }}
      ref={dialog}
    />,
    document.body,
  );
}
