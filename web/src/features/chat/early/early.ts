import { nextTask, painted } from "@/shared/tasks";
import { applyChosenTheme } from "@/shared/theme";
import { type Asked, ask } from "./ask";
import { drawEarly } from "./draw";

/**
 * The head of a room's page asks for this piece by itself. It needs nothing of the rest and runs as soon as it is
 * there: it takes the seat, asks for what was said and draws the first screen while the app is still on its way.
 */
const ROOM = /^\/room\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** A seat nobody connects to frees itself after two minutes: what is older than this is asked for again. */
const FRESH_MS = 60_000;

/**
 * On a fast line the app's code is there before the answers, and to run it takes a phone longer than they do: it lets
 * them go first, but not for long.
 */
const APP_WAITS_MS = 500;

let early: { id: string; at: number; asked: Asked } | undefined;

/** Begins with the room of a page's address, if it is one. */
export async function begin(path: string) {
  const id = ROOM.exec(path)?.[1];
  if (id === undefined) return;
  const asked = ask(id);
  early = { id, at: Date.now(), asked };
  await parsed();
  const patience = new Promise((over) => setTimeout(over, APP_WAITS_MS));
  const seen = drawEarly(id, asked)
    .then(painted)
    .catch(() => {});
  await Promise.race([seen, patience]);
  await startApp();
}

/** What was asked for before the app was there: once, and for this room only. */
export function askedEarly(id: string): Asked | undefined {
  const held = early;
  early = undefined;
  return held?.id === id && Date.now() - held.at < FRESH_MS ? held.asked : undefined;
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
void begin(window.location.pathname);
