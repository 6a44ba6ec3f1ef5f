import { nextTask, painted } from "@/shared/tasks";
import { applyChosenTheme } from "@/shared/theme";
import { type Asked, begun } from "./ask";
import { drawEarly } from "./draw";

/**
 * On a fast line the app's code is there before the answer, and to run it takes a phone longer than that does: it lets
 * the answer go first, but not for long.
 */
const APP_WAITS_MS = 500;

/**
 * The head of a room's page asks for this piece by itself. It needs nothing of the rest and runs as soon as it is
 * there: it draws the first screen while the app is still on its way, and then starts the app.
 */
async function begin({ id, answer }: Asked) {
  await parsed();
  const patience = new Promise((over) => setTimeout(over, APP_WAITS_MS));
  const seen = drawEarly(id, answer)
    .then(painted)
    .catch(() => {});
  await Promise.race([seen, patience]);
  await startApp();
}

async function parsed() {
  if (document.readyState !== "loading") return;
  await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

/**
 * The page names it and leaves it to us; where it doesn't, it starts by itself. What it is made of comes first, each
 * piece in a task of its own: to run them all in one keeps a slow phone from scrolling meanwhile.
 */
async function startApp() {
  const app = document.querySelector<HTMLLinkElement>("link[data-app]");
  if (!app) return;
  for (const piece of document.querySelectorAll<HTMLLinkElement>(
    "link[data-app] ~ link[rel=modulepreload]",
  )) {
    await import(/* @vite-ignore */ piece.href);
    await nextTask();
  }
  await import(/* @vite-ignore */ app.href);
}

applyChosenTheme();
const asked = begun();
if (asked) void begin(asked);
