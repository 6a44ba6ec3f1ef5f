/**
 * A ref for the result that replaces a form. It gets the focus, because the pressed button is gone and a screen reader
 * continues at the focus. The page scrolls to the top, because a small screen was scrolled down to the button.
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
