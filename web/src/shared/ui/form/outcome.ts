/**
 * For the `ref` of what says how it went, where it takes a form's place: the button that was pressed is gone, and a
 * screen reader goes on here. The eyes begin at the top: a small screen was scrolled down to that button.
 */
export function goOnAt(outcome: HTMLElement | null) {
  if (!outcome) return;
  window.scrollTo(0, 0);
  outcome.focus({ preventScroll: true });
}
