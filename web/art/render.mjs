/**
 * Draws the pictures that can't be SVG: app icons, the social card, the cards on which the server writes a name or
 * a group's seats, and the photo in the group of `make demo`. Run it after a change of the logo or of a card, and commit what it writes: `npm run art`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const file = (path) => new URL(`../${path}`, import.meta.url);
const dataUrl = (path, type) => `data:${type};base64,${readFileSync(file(path)).toString("base64")}`;

const logo = dataUrl("src/shared/ui/logo.svg", "image/svg+xml");
const font = dataUrl(
  "node_modules/@fontsource/bagel-fat-one/files/bagel-fat-one-latin-400-normal.woff2",
  "font/woff2",
);

/** iOS fills transparency with black and rounds the corners itself; a maskable icon may lose its outer tenth. */
const ICONS = [
  { name: "icon-192.png", size: 192, mark: 0.94, background: "transparent" },
  { name: "icon-512.png", size: 512, mark: 0.94, background: "transparent" },
  { name: "icon-maskable-512.png", size: 512, mark: 0.64, background: "#fdf0d7" },
  { name: "apple-touch-icon.png", size: 180, mark: 0.76, background: "#fdf0d7" },
];

function icon({ size, mark, background }) {
  return `<style>
    body { margin: 0; display: grid; place-items: center; width: ${size}px; height: ${size}px; background: ${background} }
    img { width: ${size * mark}px; height: ${size * mark}px }
  </style><img src="${logo}" />`;
}

/** What the server writes on: a personal page's name, and below a group's faces its seats and its time. */
const PREVIEWS = [
  {
    name: "person.png",
    COLOUR: "#ff6098",
    WHOSE: "my name is",
    FACES: "",
    ASKS: "Leave me a note without yours.",
  },
  { name: "group.png", COLOUR: "#8ce0ba", WHOSE: "our names are", FACES: "👻🦊🐙🌵🦉", ASKS: "" },
];

const ground = readFileSync(file("art/ground.css"), "utf8");
const drawn = (path) =>
  readFileSync(file(path), "utf8")
    .replace("/* GROUND */", ground)
    .replaceAll("LOGO", logo)
    .replaceAll("FONT", font);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const one of ICONS) {
  await draw(`public/${one.name}`, icon(one), { width: one.size, height: one.size });
}
await draw("public/og.png", drawn("art/card.html"), { width: 1200, height: 630 });
const preview = drawn("art/preview.html");
for (const { name, ...parts } of PREVIEWS) {
  const html = Object.entries(parts).reduce((text, [place, part]) => text.replaceAll(place, part), preview);
  await draw(`../src/http/site/cards/${name}`, html, { width: 1200, height: 630 });
}
await draw("e2e/demo/stand.jpg", readFileSync(file("art/stand.html"), "utf8"), { width: 1080, height: 720 });
await browser.close();

async function draw(path, html, viewport) {
  const page = await browser.newPage({ viewport });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const kind = path.endsWith(".jpg") ? { type: "jpeg", quality: 70 } : { omitBackground: true };
  writeFileSync(file(path), await page.screenshot(kind));
  await page.close();
}
