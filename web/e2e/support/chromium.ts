/** Debian's Chromium with its own windows, menus and settings. */
export const WHOLE_CHROMIUM = "/usr/bin/chromium";

/**
 * What journeys run in: the same Chromium without them, because they took a third of the processor time and no page
 * sees them. CHROMIUM can name another one.
 */
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

/** Chromium as root, which asks no other host for anything. */
export const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];
