import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { CONTENT_SECURITY_POLICY } from "./plugins/contentSecurityPolicy.ts";
import { precompress } from "./plugins/precompress.ts";
import { serviceWorker, WORKER } from "./plugins/serviceWorker.ts";
import { slimReact } from "./plugins/slimReact.ts";
import { slimRouter } from "./plugins/slimRouter.ts";

const API_SERVER = "http://127.0.0.1:8080";

/** Half of what every page needs, as a piece of its own: two tasks keep a phone from scrolling for half as long. */
const REACT = /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime|commonjsHelpers/;

const IN_EVERY_PAGE =
  /node_modules\/(react-router|react-router-dom|cookie|set-cookie-parser)\/|src\/shared\/(api\/client|keptGroups|overlays|tabTitle|cookies|paths|storage|tasks|theme|text\/(text|language|en\/site)|ui\/(StartLink|LanguageSwitch|ThemeSwitch|Logo|Loader|ButtonLink|button|EmojiDisc|emojiTone))\b|src\/(app\/Frame|features\/site\/SiteFooter)\b/;

/** Few pieces, because the first page's code holds the names of all. */
const IN_EVERY_FORM =
  /node_modules\/zustand\/|src\/(shared\/(api\/api|links|live\/|notices|session|clipboard|copyAndTell|redraw|saveFile|contract\/(limits|names)|text\/(appText|blank|characters|directions|en\/app|failureText|noteDate)|richText\/|ui\/(Button|ConfirmDialog|Dialog|ErrorBanner|Field|Form|form|outcome|icons|IconButton|Modal|openDialogs|PasswordField|rove|TagForm|TextArea|useSubmission|swipe|useTimeLeft))|features\/(account\/validation|site\/(PlainHeader|pages\/Notice)))\b/;

/** What a group's screen shares with its own menus and dialogs, which come later. */
const IN_EVERY_GROUP =
  /src\/features\/chat\/(\w+|(model|connection|sending|history)\/\w+|screen\/(\w+\/)?(chatContext|face|menu|moment|notice|reply|rows|screen))\.ts$/;

export default defineConfig({
  plugins: [react(), slimReact(), slimRouter(), serviceWorker(), precompress()],
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
    rolldownOptions: {
      input: { index: "index.html", [WORKER]: "worker/sw.ts" },
      output: {
        // The worker answers for the pages below its own address, so it has to be at the root and keep its name.
        entryFileNames: ({ name }) => (name === WORKER ? `${WORKER}.js` : "assets/[name]-[hash].js"),
        chunkFileNames: ({ name }) => `assets/${name.replaceAll(".", "-")}-[hash].js`,
        // What every page needs stays in one piece: cut up by who else uses it, it compresses worse.
        codeSplitting: {
          groups: [
            { name: "ask", test: /src\/features\/chat\/early\/ask\.ts$/ },
            { name: "react", test: REACT },
            { name: "base", test: IN_EVERY_PAGE },
            { name: "forms", test: IN_EVERY_FORM },
            { name: "chat", test: IN_EVERY_GROUP },
          ],
        },
      },
    },
  },
  test: {
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "happy-dom",
          include: [
            "src/**/*.test.{ts,tsx}",
            "plugins/**/*.test.ts",
            "worker/**/*.test.ts",
            "wire/**/*.test.mjs",
          ],
          // A machine that others keep busy is no failure.
          testTimeout: 30_000,
          setupFiles: "src/shared/testing/patience.ts",
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
