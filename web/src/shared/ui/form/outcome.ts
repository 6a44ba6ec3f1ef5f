/**
 * For what says how it went, where it takes a form's place: the button that was pressed is gone, and a screen reader
 * goes on here. The eyes begin at the top: a small screen was scrolled down to that button.
 */
export const outcome = {
  "data-outcome": true,
  ref: (element: HTMLElement | null) => {
    if (!element) return;
    window.scrollTo(0, 0);
    element.focus({ preventScroll: true });
  },
  tabIndex: -1,
};
