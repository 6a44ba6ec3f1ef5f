const chosen: DOMStringMap = import.meta.env.SSR
  ? { siteName: "{site}", siteContact: "{contact}" }
  : document.documentElement.dataset;

/**
 * What the site is called, and where its operator can be reached, if anywhere. The server has what the operator has
 * chosen in the page's first element; in pages that are drawn when the app is built, it puts that in. All words may have
 * the name, so this imports nothing.
 */
export const { siteName = "Annon", siteContact } = chosen;
