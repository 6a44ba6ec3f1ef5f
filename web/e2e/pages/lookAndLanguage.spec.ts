/** Small screens, long words, the reader's own colours, keys and gestures. */
import type { BrowserContextOptions, Locator } from "@playwright/test";
import { PAGES } from "../../src/shared/contract/pages.ts";
import { broken, button, ICON, link, placeOf } from "../support/page.ts";
import { createGroup, sendNotes, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

test("getting started: by key and by swipe, in the dark", async ({ page }) => {
  await page.goto("/getstarted");
  const chosen = page.getByRole("tab", { selected: true });
  await page.tab("Connect").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.heading("Notes without a sender")).toBeVisible();
  await expect(chosen).toHaveAccessibleName("Inbox");
  const finger = await page.finger();
  await finger.drag(290, 400, [-50, 0], [-200, 0]);
  await expect(page.heading("Turn it into an image")).toBeVisible();
  await finger.drag(90, 400, [50, 0], [200, 0]);
  await expect(page.heading("Notes without a sender")).toBeVisible();
  for (const slide of ["Capture", "Groups", "Privacy"]) {
    await page.button("Next").click();
    await expect(chosen).toHaveAccessibleName(slide);
  }
  await expect(page.link("Sign Up")).toBeVisible();

  /** The colour of the page, and that of the browser around the page. */
  const colours = () =>
    page.evaluate(() => {
      const named = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
      const around = named.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content);
      return [getComputedStyle(document.body).backgroundColor, ...around];
    });
  const light = ["rgb(253, 240, 215)", "#fdf0d7"];
  const dark = ["rgb(23, 19, 43)", "#17132b"];
  expect(await colours()).toEqual(light);
  await page.button("Switch to dark mode").click();
  expect(await colours()).toEqual(dark);
  expect(await page.evaluate(() => [sessionStorage.theme, localStorage.theme])).toEqual(["dark", undefined]);
  await page.reload();
  await expect(page.button("Switch to light mode")).toBeVisible();
  expect(await colours()).toEqual(dark);
  await page.button("Switch to light mode").click();
  expect(await colours()).toEqual(light);
});

test("in the other language, from the first page on", async ({ page, visitor }) => {
  await page.goto("/login");
  await page.getByLabel("Language").selectOption("de");
  await expect(page.heading(/Hallo/)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
  await page.getByLabel("Benutzername oder E-Mail").fill("niemand-hier");
  await page.password("Passwort").fill("falsch, leider");
  await page.button("Anmelden").click();
  await page.sees("Benutzername, E-Mail-Adresse oder Passwort stimmt nicht.");
  await page.goto("/");
  await expect(link(page.getByRole("contentinfo"), "Über uns")).toBeVisible();

  // A browser that asks for German gets it at once, and on a phone no link of the footer is cut off.
  const german = await visitor({ locale: "de-DE" });
  await german.goto("/login");
  const links = german.getByRole("contentinfo").getByRole("link");
  await expect(links).toHaveCount(7);
  for (const one of await links.all()) expect((await placeOf(one)).right).toBeLessThanOrEqual(390 - 16);
});

test("on a phone nothing stands alone on a line, and the header is one row with a menu", async ({ page }) => {
  const lines = (links: Locator) =>
    links.evaluateAll((all) => {
      const tops = all.map((one) => Math.round(one.getBoundingClientRect().top));
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    });
  for (const width of [320, 390, 430]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/getstarted");
    await expect(page.tab(/./).first()).toBeVisible();
    expect(await lines(page.tab(/./))).toEqual([5]);
    await page.goto("/expired");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const footer = page.getByRole("navigation", { name: "Footer", exact: true });
    expect(await lines(footer.getByRole("link"))).toEqual([4, 3]);
    expect(await page.sticksOut()).toBe(0);
  }

  // The links of the header are in a menu.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/about");
  const header = page.getByRole("banner");
  await expect(link(header, "Sign Up")).toBeVisible();
  expect((await placeOf(header)).height).toBeLessThan(120);
  await expect(link(header, "Blog")).toHaveCount(0);
  await page.button("Menu").click();
  await link(header, "Blog").click();
  await expect(page.heading("Blog")).toBeVisible();
  for (const post of ["Launch", "Pre-launch"]) await expect(page.exactly(post)).toBeVisible();
  await expect(link(header, "Blog")).toHaveCount(0);
});

/** Expects that no heading and no control has a broken word, and that the page is as wide as its window. */
async function isWhole(page: AppPage, where: string) {
  await page.atRest();
  // An element for screen readers alone is one pixel wide, so it is left out.
  const named = page
    .locator("h1, h2, h3, button, [role=tab], [role=menuitem], summary, h1 + div span")
    .and(page.locator(":not(.visually-hidden)"))
    // The name in an address is checked in another place, and a photo is always cut to its box.
    .filter({ hasNot: page.locator("bdi, img"), visible: true });
  await expect(named.first()).toBeVisible();
  expect.soft(await broken(named), where).toEqual([]);
  expect.soft(await page.sticksOut(), where).toBe(0);
}

/** A phone in German, with settings that make all letters twice as large. */
async function largeGerman(visitor: (options: BrowserContextOptions) => Promise<AppPage>) {
  test.slow();
  const page = await visitor({ locale: "de-DE" });
  const letters = await page.context().newCDPSession(page);
  await letters.send("Page.enable");
  await letters.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 32 } });
  return page;
}

test("with letters twice as large no page is broken in German", async ({ visitor, account, group }) => {
  const page = await largeGerman(visitor);
  const open = Object.keys(PAGES).filter((path) => !/:|home|settings|open|room\/new/.test(path));
  const away = ["locked", "kicked", "left", "deleted"].map((why) => `/roomfull?why=${why}`);
  const others = ["/reset/none", "/confirm/none", "/no/such/page", `/${group.host.username}`];
  const own = ["/homepage", "/homepage?tab=groups", "/settings", "/open", "/room/new", "/homepage?tab=inbox"];
  for (const path of [...open, ...away, ...others, ...own]) {
    if (path === own[0]) await signedIn(page.context(), account);
    await page.goto(path);
    await isWhole(page, path);
  }
  const row = page.button(new RegExp(`/\\s*${account.username}$`));
  expect(await broken(row.locator("b"))).toEqual([]);
});

test("with letters twice as large no dialog is broken in German", async ({ visitor, account }) => {
  const page = await largeGerman(visitor);
  await signedIn(page.context(), account);
  await sendNotes(account, "A note that is long enough to be read.");
  const group = await createGroup(account, "midnight tacos");
  const shown = page.locator("dialog, [role=dialog], [role=menu]");

  /** Expects that what has been opened is whole, and closes it. Its code is loaded first: a key before that is lost. */
  async function isWholeWhenOpen(what: string) {
    await expect(shown).toBeVisible();
    await isWhole(page, what);
  }
  async function close() {
    await page.keyboard.press("Escape");
    await expect(shown).toHaveCount(0);
  }
  async function on(path: string, ...names: (string | RegExp)[]) {
    for (const name of names) {
      await page.visit(path);
      await page.button(name).first().click();
      await isWholeWhenOpen(`${path} ${name}`);
      await close();
    }
  }
  await on("/settings", /^Passwort ändern/, /^Konto löschen/, /^Abmelden/);
  await on("/homepage", "QR-Code");
  await on("/homepage?tab=inbox", /^Als Bild speichern/, "Mehr");
  await on("/homepage?tab=groups", /^QR-Code/, /löschen$/);

  const other = await visitor();
  await other.enter(group);
  await other.sends("Donaudampfschifffahrtsgesellschaft");
  await page.visit(group.path);
  const words = page.getByRole("article").filter({ hasText: "Donaudampf" });
  await expect(words).toBeVisible();
  await isWhole(page, "room");
  await page.setInputFiles("input[type=file]", [ICON, ICON]);
  await isWholeWhenOpen("preview");
  await button(page.dialog, "Senden").click();
  await expect(shown).toHaveCount(0);
  const photo = page.button(/^Foto von /).first();
  await photo.click();
  await isWholeWhenOpen("viewer");
  await close();
  await words.click({ button: "right" });
  await isWholeWhenOpen("menu of a message");
  await close();
  await page.button("Emoji einfügen").click();
  await isWholeWhenOpen("emoji");
  await page.keyboard.type("herz gebr");
  await expect(page.button("💔")).toBeVisible();
  await isWhole(page, "emoji that were found");
  await close();
  for (const choice of ["Gruppe sperren", "Gruppe löschen", "Gruppe verlassen", "Per QR-Code einladen"]) {
    await page.button("Mehr").first().click();
    await isWholeWhenOpen("menu of the group");
    await page.item(choice).click();
    await expect(page.getByRole("menu")).toHaveCount(0);
    await isWholeWhenOpen(choice);
    await close();
  }
  await page.membersButton.click();
  await expect(page.whoIsHere).toBeVisible();
  await isWhole(page, "members");
});

test("in the reader's own colours, the chosen item is visible", async ({ page, account: _, group }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 1280, height: 800 });
  const backgrounds = (found: Locator) =>
    found.evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))]);
  for (const [path, each, chosen] of [
    ["/homepage", "[role=tab]", "[aria-selected=true]"],
    ["/getstarted", "[role=tab]", "[aria-selected=true]"],
    ["/about", "header li a", "[aria-current]"],
    ["/room/new", "[type=radio] + span", ":checked + span"],
  ]) {
    await page.goto(path);
    await expect(page.locator(chosen).first()).toBeVisible();
    const others = await backgrounds(page.locator(`${each}:not(${chosen})`));
    const highlighted = await backgrounds(page.locator(each).and(page.locator(chosen)));
    expect([others.length, highlighted.length], path).toEqual([1, 1]);
    expect(highlighted, path).not.toEqual(others);
  }
  // With such colours the edge of the message box is drawn. It has to follow the round corners of the box.
  await page.enter(group);
  for (const corner of ["border-start-start-radius", "border-end-start-radius"])
    await expect(page.box).toHaveCSS(corner, "22px");
  // The border of an emoji has no gap. The test looks at the middle of a round corner.
  const emoji = page.locator("footer form [data-tone]");
  const { width } = await placeOf(emoji);
  const at = Math.round((width / 2) * (1 - Math.SQRT1_2) + Math.SQRT1_2 - 0.5);
  const drawn = await page.painted(await emoji.screenshot(), [at, at]);
  expect(Math.max(...drawn.at[0])).toBeLessThan(128);
  // The edges of panels and menus are drawn as well, and so is the ring around the focused element.
  const isDrawn = async (found: Locator, edge: "outline" | "border-top") => {
    await expect(found).toHaveCSS(`${edge}-style`, "solid");
    const [line] = await found.evaluateAll((all, edge) => {
      const style = getComputedStyle(all[0]);
      return [style.getPropertyValue(`${edge}-color`), style.backgroundColor];
    }, edge);
    expect(line).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  };
  await page.button("Add an emoji").click();
  await isDrawn(page.getByRole("dialog", { name: "Emoji" }), "border-top");
  await page.keys("ArrowDown");
  await isDrawn(page.locator("[data-sign]:focus"), "outline");
  await page.keys("Escape");
  await page.moreMenu();
  await isDrawn(page.getByRole("menu"), "border-top");
  await page.keys("ArrowDown");
  await isDrawn(page.locator("[role=menuitem]:focus"), "outline");
});

test("on a small phone, the result of sending a note is on the screen", async ({ page, person }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`/${person.username}`);
  await page.getByLabel("Your anonymous note").fill("Written on a small phone.");
  await page.mouse.wheel(0, 5000);
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${person.username}`)).toBeInViewport({ ratio: 1 });
  await expect(page.link("Get your own link")).toBeInViewport({ ratio: 1 });
});
