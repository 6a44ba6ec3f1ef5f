import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** Runs `work` with a fresh Chromium (CHROMIUM names another binary than Debian's) and always closes it. */
export async function withBrowser(work) {
  await withProfile(async (profile) => {
    const browser = await chromium.launch(options(profile));
    try {
      await work(browser);
    } finally {
      await browser.close();
    }
  });
}

/** The same with a page of a browser whose owner has blocked all cookies, and with them every kind of site data. */
export async function withoutCookies(work) {
  await withProfile(async (profile) => {
    mkdirSync(join(profile, "Default"));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify(settings));
    const context = await chromium.launchPersistentContext(profile, {
      ...options(profile),
      viewport: { width: 390, height: 844 },
      reducedMotion: "reduce",
      locale: "en-GB",
    });
    context.setDefaultTimeout(30_000);
    try {
      await work(context.pages()[0] ?? (await context.newPage()));
    } finally {
      await context.close();
    }
  });
}

async function withProfile(work) {
  const profile = mkdtempSync(join(tmpdir(), "annon-web-"));
  try {
    await work(profile);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

function options(profile) {
  return {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
      "--no-first-run",
      `--crash-dumps-dir=${profile}`,
    ],
  };
}
