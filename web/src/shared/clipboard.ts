import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";

export async function copyAndTell(text: string, notice: string) {
  if (await copyText(text)) showNotice(notice);
  else showError(appText.notices.notCopied);
}

/** Copies, and resolves to whether it worked. Pages without https have no clipboard API and use the second way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  const focused = document.activeElement;
  // In the open dialog, if there is one: elements outside a dialog can't get the focus.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
