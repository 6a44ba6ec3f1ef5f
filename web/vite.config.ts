import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { precompress } from "./plugins/precompress.ts";
import { slimRouter } from "./plugins/slimRouter.ts";

const API_SERVER = "http://127.0.0.1:8080";

/** The server sends this with every page. The built files are looked at under it here, too. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export default defineConfig({
  plugins: [react(), slimRouter(), precompress()],
  resolve: {
    alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) },
  },
  server: {
    proxy: { "/api": { target: API_SERVER, ws: true } },
  },
  preview: { headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY } },
  build: {
    sourcemap: false,
    // The content security policy allows no inline script and no data: font, and a file of its own is cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "happy-dom",
          include: ["src/**/*.test.{ts,tsx}", "plugins/**/*.test.ts"],
          restoreMocks: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: { name: "dist", environment: "node", include: ["dist-checks/**/*.test.ts"] },
      },
    ],
  },
});
