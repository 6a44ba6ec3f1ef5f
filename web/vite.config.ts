import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { BuildOptions } from "vite";
import { defineConfig } from "vitest/config";
import { precompress } from "./plugins/precompress.ts";
import { serviceWorker, WORKER } from "./plugins/serviceWorker.ts";
import { CONTENT_SECURITY_POLICY } from "./src/shared/contract/pages.ts";

const API_SERVER = "http://127.0.0.1:8080";

type Graph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/** The modules that a group's page needs before its first message, with what they import. */
let first: Set<string> | undefined;

function isFirst(id: string, graph: Graph): boolean {
  if (!first) {
    first = new Set([fileURLToPath(new URL("./src/app/groupMain.tsx", import.meta.url))]);
    // The loop also reaches what is added while it runs.
    for (const one of first)
      for (const other of graph.getModuleInfo(one)?.importedIds ?? []) first.add(other);
  }
  return first.has(id);
}

/** The files that the browser gets. The server build, which draws the pages, is one program. */
const PIECES: BuildOptions["rolldownOptions"] = {
  input: {
    index: "index.html",
    [WORKER]: "worker/sw.ts",
    early: "src/app/early.ts",
    group: "src/app/groupMain.tsx",
  },
  output: {
    // The worker answers for the pages below its own address, so it has to be at the root and keep its name.
    entryFileNames: ({ name }) => (name === WORKER ? `${WORKER}.js` : "assets/[name]-[hash].js"),
    // Chromium compiles all of a file while it comes, then, and not each function when it is called.
    postBanner: "//# allFunctionsCalledOnLoad",
    chunkFileNames: ({ name }) => `assets/${name.replaceAll(".", "-")}-[hash].js`,
    // Left alone, Vite makes sixty small files for a group's page; a phone waits for each of them.
    codeSplitting: {
      groups: [
        // It runs before the app and is imported by it, so it has to be a file of its own.
        { name: "ask", test: /src\/features\/chat\/connection\/ask\.ts$/ },
        // The words of another language need it while the module that waits for them is being run. The browser's
        // database is too small for a file of its own, and the inbox should not load the chat for it.
        {
          name: "contract",
          test: /src\/shared\/(siteName|tasks|database|workerAddress|contract\/(?!common|signs\.)|text\/(seatWords|\w+\/numbers))/,
        },
        // Every page needs it, and a group's page nothing else but what is the chat's.
        {
          debugName: "core",
          name: (id, context) =>
            isFirst(id, context) &&
            !/features\/chat|app\/(groupMain|startGroup|Group|openedGroup)|text\/\w*\/?chat|virtua/.test(id)
              ? "core"
              : null,
        },
        // With its words: who reads in another language waits for them, and on no other page. Without what is
        // behind the button for emoji.
        {
          debugName: "chat",
          name: (id, context) => (isFirst(id, context) || /shared\/text/.test(id) ? "chat" : null),
          test: /virtua|src\/(app\/(startGroup|Group|openedGroup)|features\/chat\/(?!screen\/composer\/(EmojiPicker|emoji))|shared\/text\/\w*\/?chat)/,
          minShareCount: 2,
        },
        // A group's menus and dialogs need these, but nothing that needs the router.
        {
          name: "dialogs",
          test: /src\/shared\/ui\/(swipe|overlay\/(Dialog|Modal)|form\/(Form|Field|useForm|ErrorBanner|form|TagForm|Switch)|Skeleton)/,
          minShareCount: 2,
        },
        // Without the words of groups that ask first, of owners, of the inbox and of reports, which most pages don't need,
        // nor what only pages with notes or with something sealed do.
        {
          name: "shared",
          test: /node_modules(?!\/@hpke)|src\/(app|shared(?!\/(sealing\/|database|hkdf|text\/\w*\/?(chat|conversation|knock|account|answers|inbox|away|sealed|note(?!Date)|report|shield|work|push|digest|groupLink)|away\/|text\/(asked|ago)|richText\/NoteWords|report\/|conversations\/(?!kept)|shrink|files|capture\/|session\/(tellFailure|ownSeal|inboxKeyOf)|ui\/(overlay\/(Menu|Confirm)|form\/(Check|Switch)|Unsent|NoteRow)))|features\/site)\//,
          minShareCount: 3,
        },
        {
          name: "notes",
          test: /src\/shared\/(text\/(asked|ago)|richText\/NoteWords|ui\/(Unsent|NoteRow))/,
        },
        // Together: the chat names each file that it may load.
        { name: "sealing", test: /src\/shared\/sealing\/(bytes|seal|keyStore)\.ts/ },
        { name: "away", test: /src\/shared\/text\/(en\/)?away/ },
        { name: "sealed", test: /src\/shared\/text\/(en\/)?sealed(Text)?\.ts/ },
        { name: "inbox", test: /src\/shared\/text\/(en\/)?inbox/ },
      ],
    },
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), serviceWorker(), precompress()],
  resolve: {
    alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) },
  },
  server: {
    proxy: { "/api": { target: API_SERVER, ws: true } },
  },
  // The built files are looked at under the server's own policy here, too.
  preview: { headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY } },
  build: {
    // `build.rs` reads from it which files a page needs.
    manifest: true,
    sourcemap: false,
    // The content security policy allows no inline script and no data: font, and a file of its own is cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild ? {} : PIECES,
  },
  test: {
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "happy-dom",
          include: ["src/**/*.test.{ts,tsx}", "worker/**/*.test.ts", "wire/**/*.test.mjs"],
          // A machine that others keep busy is no failure.
          testTimeout: 30_000,
          setupFiles: "src/shared/testing/setup.ts",
          clearMocks: true,
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
}));
