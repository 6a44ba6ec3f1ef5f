/** Puts words where the caret is, as if they were typed: what is selected makes room for them, and it can be undone. */
export function typeInto(field: HTMLTextAreaElement, words: string, from = field.selectionStart) {
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, field.selectionEnd);
  // Nothing else keeps the field's own history; a browser that has given it up puts the words in without.
  if (document.execCommand?.("insertText", false, words)) return;
  field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: words, inputType: "insertText" }));
}
