import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";

/** A text or one that is still to come. */
type Text = string | Promise<string>;

export async function copyAndTell(text: Text, notice: string) {
  if (await copyText(text)) showNotice(notice);
  else showError(appText.notices.notCopied);
}

/** Copies, and resolves to whether it worked. Pages without https have no clipboard API and use the second way. */
export async function copyText(text: Text): Promise<boolean> {
  try {
    await (typeof text === "string" ? navigator.clipboard.writeText(text) : copyLater(text));
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

/** Copies what is still to come. It has to begin at once: later a browser may not see that somebody has pressed. */
function copyLater(text: Promise<string>) {
  const type = "text/plain";
  const blob = text.then((words) => new Blob([words], { type }));
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
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
