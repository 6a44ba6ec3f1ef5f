/** A ref: the button that was pressed is gone; a screen reader goes on with the outcome. */
export function focusOutcome(outcome: HTMLElement | null) {
  outcome?.focus({ preventScroll: true });
}
