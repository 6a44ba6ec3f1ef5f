/** Words can be read under the mouse, with the focus and while they are pressed. axe looks at none of these. */
import type { CDPSession } from "@playwright/test";
import { sendNotes } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const CONTROLS =
  "a, button, summary, select, label, [role=tab], [role=menuitem], [role=switch], [role=button]";
const STATES = { hovered: ["hover"], focused: ["focus", "focus-visible"], pressed: ["hover", "active"] };

async function inState(devtools: CDPSession, states: string[]) {
  const { root } = await devtools.send("DOM.getDocument", { depth: 0 });
  const { nodeIds } = await devtools.send("DOM.querySelectorAll", {
    nodeId: root.nodeId,
    selector: CONTROLS,
  });
  for (const nodeId of nodeIds) {
    await devtools.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: states });
  }
}

/** The words in controls that stand out too little from what is behind them. */
const unreadable = (page: AppPage) =>
  page.evaluate((selector) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!pen) throw new Error("no canvas");
    type Colour = [number, number, number, number];
    const colourOf = (css: string): Colour => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = css;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const light = ([r, g, b]: Colour) => {
      const [R = 0, G = 0, B = 0] = [r, g, b].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * R + 0.7152 * G + 0.0722 * B;
    };
    const behind = (element: Element): Colour => {
      const layers: Colour[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        const colour = colourOf(getComputedStyle(at).backgroundColor);
        layers.push(colour);
        if (colour[3] === 1) break;
      }
      return layers.reduceRight(
        (below, layer) => over(layer, below),
        colourOf(getComputedStyle(document.body).backgroundColor),
      );
    };
    const bad: string[] = [];
    for (const control of document.querySelectorAll(selector)) {
      if (control.closest("[disabled], [aria-disabled=true], [inert]")) continue;
      const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        const words = walker.currentNode.textContent?.trim() ?? "";
        if (!parent || !/[\p{L}\p{N}]/u.test(words) || parent.closest(".visually-hidden")) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const style = getComputedStyle(parent);
        const back = behind(parent);
        const [one, other] = [light(over(colourOf(style.color), back)), light(back)];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        const size = Number.parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (isLarge ? 3 : 4.5)) bad.push(`${words}: ${ratio.toFixed(2)}`);
      }
    }
    return bad;
  }, CONTROLS);

test("nothing that can be pressed turns unreadable", async ({ page, account, context }) => {
  await sendNotes(account, "Will you play again this summer?", "You sat with me at lunch that day.");
  await page.emulateMedia({ reducedMotion: "reduce" });
  const devtools = await context.newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const paths = ["/", "/getstarted", "/about", `/${account.username}?view=others`, "/homepage"];
  for (const path of [...paths, "/homepage?tab=inbox", "/homepage?tab=groups", "/settings", "/room/new"]) {
    await page.goto(path);
    await page.takenOver();
    await page.locator("h1, h2").first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [state, classes] of Object.entries(STATES)) {
        await inState(devtools, classes);
        expect.soft(await unreadable(page), `${path}, ${colorScheme}, ${state}`).toEqual([]);
      }
    }
  }
});

test("the chosen tab stays as it is under the mouse", async ({ page, account }) => {
  expect(account.username).not.toBe("");
  await page.goto("/homepage?tab=inbox");
  await page.sees("All quiet");
  const tab = page.tab("Inbox");
  const colour = () => tab.evaluate((tab) => getComputedStyle(tab).backgroundColor);
  const before = await colour();
  await tab.hover();
  expect(await colour()).toBe(before);
});
