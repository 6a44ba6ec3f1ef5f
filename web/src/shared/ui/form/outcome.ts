/**
 * A ref for the result that takes a form's place. It gets the focus, as the pressed button is gone and a screen reader
 * goes on here, and the page scrolls to the top, as a small screen was scrolled down to that button.
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
