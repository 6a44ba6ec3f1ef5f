/** What the server relies on in dist, and what its content security policy assumes. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PAGES } from "../src/shared/contract/pages.ts";
import { languages } from "../src/shared/text/language.ts";
import { bytes, content, files } from "./dist.ts";

const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest)$/;

test("index.html has one place for the server's head tags, with a title in it", () => {
  const html = content("index.html");
  expect(html.split("<!--head-->")).toHaveLength(2);
  expect(html.split("<!--/head-->")).toHaveLength(2);
  const between = html.slice(html.indexOf("<!--head-->"), html.indexOf("<!--/head-->"));
  expect(html.indexOf("<!--/head-->")).toBeLessThan(html.indexOf("</head>"));
  expect(between).toContain("<title>");
  expect(html.split("<title>")).toHaveLength(2);
});

test("index.html holds no inline script, style or handler", () => {
  const html = content("index.html");
  for (const [tag, inside] of html.matchAll(/<script[^>]*>([^<]*)/g)) {
    expect(tag).toContain(" src=");
    expect(inside?.trim()).toBe("");
  }
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
});

test("nothing is loaded from another site and no font from a data: address", () => {
  expect(content("index.html")).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  for (const file of files().filter((file) => file.endsWith(".css"))) {
    expect(content(file)).not.toMatch(/url\(["']?(?:https?:|\/\/|data:)/);
  }
});

test("there are no source maps", () => {
  expect(files().filter((file) => file.endsWith(".map"))).toEqual([]);
  for (const file of files().filter((file) => /\.(js|css)$/.test(file))) {
    expect(content(file)).not.toContain("sourceMappingURL");
  }
});

test("hashed files are in assets, and only those", () => {
  for (const file of files()) {
    const name = file.replace(/\.(br|gz)$/, "");
    if (name.startsWith("assets/")) expect(name).toMatch(/^assets\/[\w-]+-[\w-]{8}\.\w+$/);
    else expect(name).toMatch(/^[a-z0-9-]+\.\w+$/);
  }
});

test("every compressed copy is smaller and unpacks to its file", () => {
  const all = new Set(files());
  let copies = 0;
  for (const file of all) {
    const plain = /\.(br|gz)$/.test(file) ? file.slice(0, -3) : undefined;
    if (!plain) continue;
    copies += 1;
    expect(all.has(plain), file).toBe(true);
    expect(plain).toMatch(COMPRESSIBLE);
    expect(bytes(file).length).toBeLessThan(bytes(plain).length);
    const unpacked = file.endsWith(".br") ? brotliDecompressSync(bytes(file)) : gunzipSync(bytes(file));
    expect(unpacked.equals(bytes(plain)), file).toBe(true);
  }
  expect(copies).toBeGreaterThan(10);
});

test("every file worth compressing has both copies", () => {
  const all = new Set(files());
  for (const file of all) {
    if (!COMPRESSIBLE.test(file) || bytes(file).length < 500) continue;
    expect(all.has(`${file}.br`), file).toBe(true);
    expect(all.has(`${file}.gz`), file).toBe(true);
  }
});

test("the stable-named files are there", () => {
  const all = files();
  for (const file of [
    "favicon.svg",
    "apple-touch-icon.png",
    "icon-192.png",
    "icon-512.png",
    "icon-maskable-512.png",
    "og.png",
    "robots.txt",
    "manifest.webmanifest",
    "sw.js",
  ]) {
    expect(all).toContain(file);
  }
});

test("the service worker keeps the page, the icon, the manifest and every hashed file of this build", () => {
  const [, listed] =
    content("sw.js").match(/^const BUILD=\{"version":"[0-9a-f]{16}","files":(\[[^\]]*\])\};/) ?? [];
  const hashed = files().filter((file) => file.startsWith("assets/") && !/\.(br|gz)$/.test(file));
  expect(JSON.parse(listed ?? "[]").sort()).toEqual(
    ["/index.html", "/favicon.svg", "/manifest.webmanifest", ...hashed.map((file) => `/${file}`)].sort(),
  );
});

test("the script that runs before the first drawing stands alone, and is no module", () => {
  const early = files().filter((file) => /^assets\/early-[^.]*\.js$/.test(file));
  expect(early).toHaveLength(1);
  const code = content(early[0] ?? "");
  expect(code).not.toMatch(/\b(import|export)\b/);
  // It delays every page, so it fits into one packet with the response's headers.
  expect(code.length).toBeLessThan(1_000);
});

test("every page is drawn in every language, without a script, a style of its own, or a place left open", () => {
  for (const language of Object.keys(languages)) {
    const { pages } = JSON.parse(content(`.pages/${language}.json`)) as { pages: Record<string, string> };
    expect(Object.keys(pages)).toEqual(expect.arrayContaining([...Object.keys(PAGES), ""]));
    for (const [address, html] of Object.entries(pages)) {
      expect(html, address).not.toContain("%7B");
      expect(html, address).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/);
      const places = {
        "/:username/a/:id": ["username", "note", "answer", "date"],
        "/:username": ["username", "note_id", "line", "prompt", "note", "answer", "id", "date"],
        "/": ["host"],
        "/index": ["host"],
        "/report": ["link", "receipt"],
        "/signup": ["minimum-age"],
        "/privacy": ["notes-days", "feedback-days", "accounts-days", "events-days"],
      };
      const allowed = new Set([
        ...(Object.entries(places).find(([path]) => address.split("?")[0] === path)?.[1] ?? []),
        ...(/[?=]refused$/.test(address) ? ["why", "words"] : []),
        // What the operator has chosen.
        ...["site", "contact", "contact-words", "own-words"],
      ]);
      const open = [...html.matchAll(/\{([\w-]+)\}/g)].map(([, name = ""]) => name);
      expect(
        open.filter((name) => !allowed.has(name)),
        address,
      ).toEqual([]);
    }
  }
});
