/**
 * What journeys run in: Debian's Chromium without windows and menus of its own, which took a third of the processor
 * time and which no page sees. CHROMIUM can name another one, `/usr/bin/chromium` for example.
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
