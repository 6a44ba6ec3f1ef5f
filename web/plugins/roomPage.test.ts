// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { beginningEarly } from "./roomPage.ts";

const PAGE = `<head><!--head--><title>A</title><!--/head-->
<script type="module" crossorigin src="/assets/index-12345678.js"></script></head>`;

test("the preview begins a group's page with the server's own tags", () => {
  const html = beginningEarly(PAGE, ["ask-12345678.js", "early-12345678.css", "early-12345678.js"]);
  expect(html.match(/<script[^>]*>/g)).toEqual([
    '<script type="module" async fetchpriority="high" crossorigin src="/assets/ask-12345678.js">',
    '<script type="module" async blocking="render" crossorigin src="/assets/early-12345678.js">',
  ]);
  expect(html).toContain('data-app crossorigin href="/assets/index-12345678.js">');
  const server = readFileSync(new URL("../../src/http/site/head.rs", import.meta.url), "utf8");
  for (const how of ['fetchpriority="high"', 'blocking="render"']) {
    expect(server.replaceAll('\\"', '"')).toContain(
      `<script type="module" async ${how} crossorigin src="{path}">`,
    );
  }
});
