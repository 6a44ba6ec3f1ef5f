import { type DialogHTMLAttributes, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useOverlay } from "@/shared/overlays";
import { openModally } from "./openDialogs";

type Props = Omit<DialogHTMLAttributes<HTMLDialogElement>, "open"> & {
  onClose: () => void;
  /** Whether a press beside its content closes it as well. */
  closesBeside?: boolean;
};

/**
 * The browser's modal dialog, as large as the window. It is open as long as it is drawn. The page behind it can't be
 * used, and Escape or Back closes it.
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
        // Selecting text with the mouse can end beside the content, but must begin there to close it.
        if (closesBeside && pressedBeside.current && target === currentTarget) onClose();
      }}
      // Only if the browser has closed it.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onPointerDown={({ target, currentTarget }) => {
        pressedBeside.current = target === currentTarget;
      }}
      ref={dialog}
    />,
    document.body,
  );
}
