import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { CONTENT_SECURITY_POLICY } from "./contentSecurityPolicy.ts";

const ROOM = /^\/room\/[0-9a-f-]{36}$/;

/** Has the preview begin a group's page as the server does: the early pieces run first and start the app. */
export function roomPage(): Plugin {
  return {
    name: "room-page",
    configurePreviewServer({ config, middlewares }) {
      const dist = resolve(config.root, config.build.outDir);
      middlewares.use((request, response, next) => {
        if (!ROOM.test(request.url ?? "")) return next();
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        response.end(beginningEarly(readFileSync(join(dist, "index.html"), "utf8"), earlyFiles(dist)));
      });
    },
  };
}

function earlyFiles(dist: string): string[] {
  return readdirSync(join(dist, "assets")).filter((file) => /^(ask|early)-[\w-]{8}\.(css|js)$/.test(file));
}

export function beginningEarly(html: string, files: readonly string[]): string {
  return html
    .replace(
      /<script type="module" crossorigin src="([^"]+)"><\/script>/,
      '<link rel="modulepreload" data-app crossorigin href="$1">',
    )
    .replace("<!--/head-->", `<!--/head-->${files.map(tagOf).join("")}`);
}

function tagOf(file: string): string {
  const address = `/assets/${file}`;
  if (file.endsWith(".css")) return `<link rel="stylesheet" crossorigin href="${address}">`;
  const how = file.startsWith("ask") ? 'fetchpriority="high"' : 'blocking="render"';
  return `<script type="module" async ${how} crossorigin src="${address}"></script>`;
}
