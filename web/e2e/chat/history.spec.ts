/** A group with many messages. */
import { CORPUS } from "../../src/features/chat/testing/corpus.ts";
import { until } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

/** Scrolls up until the first row of all is drawn. Only that row has a time element. */
const toTheBeginning = (page: AppPage) =>
  until("the beginning", () =>
    page.log.evaluate((list) => {
      list.scrollTop = 0;
      return list.querySelector("time") !== null;
    }),
  );

test("older messages come in above, and the place is kept", async ({ page, group, member }) => {
  await member.talk(900);
  await page.enter(group);
  await expect(page.line(" 899")).toBeVisible();
  const asked: (() => void)[] = [];
  await page.route(/api\/room\/[^?]*\?.*before=/, (route) => {
    asked.push(() => void route.continue());
  });
  for (let load = 0; load < 3; load += 1) {
    // The next page is asked for in the first half of the first screen. It comes when all that is drawn there is at rest.
    const { at, height } = await page.log.evaluate(async (list) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      list.scrollTop = 700;
      let [at, atRest] = [Number.NaN, 0];
      while (atRest < 30) {
        await frame();
        const middle = list.getBoundingClientRect().top + list.clientHeight / 2;
        const rows = [...list.querySelectorAll<HTMLElement>("[data-row]")];
        const anchor =
          list.querySelector<HTMLElement>("[data-anchor]") ??
          rows.find((row) => row.getBoundingClientRect().bottom > middle);
        if (anchor) anchor.dataset.anchor = "";
        const now = anchor?.getBoundingClientRect().top ?? Number.NaN;
        atRest = now === at ? atRest + 1 : 0;
        at = now;
      }
      return { at, height: list.scrollHeight };
    });
    await expect.poll(() => asked.length).toBe(1);
    const moving = page.log.evaluate(
      async (list, { at, height }) => {
        const anchor = list.querySelector<HTMLElement>("[data-anchor]");
        let [moved, settled] = [0, 0];
        while (settled < 30) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (!anchor?.isConnected) return Number.POSITIVE_INFINITY;
          moved = Math.max(moved, Math.abs(anchor.getBoundingClientRect().top - at));
          settled = list.scrollHeight > height + 2000 ? settled + 1 : 0;
        }
        delete anchor?.dataset.anchor;
        return moved;
      },
      { at, height },
    );
    asked.pop()?.();
    expect(await moving, "pixels that a line moved by").toBeLessThanOrEqual(2);
  }
});

test("hostile words break nothing", async ({ page, group, member }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => dialogs.push(dialog.message()));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.enter(group);
  for (const words of CORPUS) member.say(words);
  await page.hears(member, "and that was all");
  // The list scrolls up in steps. Every row has to stay in its own box, and none may be wider than the screen.
  const faults = await page.log.evaluate(async (list) => {
    const found = new Set<string>();
    for (list.scrollTop = 1e9; list.scrollTop > 0; list.scrollTop -= 200) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const root = document.documentElement;
      if (root.scrollWidth > root.clientWidth) found.add("the page is wider");
      if (list.scrollWidth > list.clientWidth) found.add("the list is wider");
      for (const row of list.querySelectorAll("[data-row]")) {
        const { left, right } = row.getBoundingClientRect();
        if (left < 0 || right > innerWidth + 1) found.add("a line sticks out");
      }
      for (const words of list.querySelectorAll("article [data-emoji]"))
        if (getComputedStyle(words.parentElement ?? words).overflow !== "clip")
          found.add("nothing is clipped");
    }
    return [...found];
  });
  expect(faults).toEqual([]);
  expect(dialogs).toEqual([]);
});

test("new and sent messages move in, and nothing else does", async ({ group, member, visitor }) => {
  // This is more than one page of the history.
  await member.talk(231);
  member.say("the last before");
  const page = await visitor({ reducedMotion: "no-preference" });
  await page.addInitScript(() => {
    document.addEventListener("animationstart", ({ target, animationName }) => {
      const words = (target as Element).textContent ?? "";
      if (animationName.includes("arrive") && words.length > 8) {
        sessionStorage.moved = `${sessionStorage.moved ?? ""}${words}|`;
      }
    });
  });
  /** The words of the rows that moved in since the last call. It waits first, because a row could move in late. */
  const moved = async () => {
    await page.waitForTimeout(500);
    return page.evaluate(() => {
      const words = sessionStorage.moved ?? "";
      sessionStorage.moved = "";
      return words;
    });
  };
  await page.enter(group);
  await expect(page.line("the last before")).toBeVisible();
  expect(await moved(), "on the first draw").toBe("");
  await page.sends("sent just now");
  await page.hears(member, "came just now");
  expect(await moved()).toMatch(/^[^|]*sent just now[^|]*\|[^|]*came just now[^|]*\|$/);
  await page.atEnd();

  // Older messages don't move in, and those at the end, which moved in before, don't do it again.
  await toTheBeginning(page);
  await page.toEnd.click();
  await expect(page.line("came just now")).toBeVisible();
  await page.atEnd();
  expect(await moved(), "on pages of the history").toBe("");

  // Messages that were missed while offline are shown without moving in.
  await page.context().setOffline(true);
  await page.sees("You’re offline. What you write will be sent when you’re back online.");
  member.sayLines(8, "missed while away");
  await page.context().setOffline(false);
  await page.sees("You’re back online. You didn’t miss anything.");
  await expect(page.line("missed while away 7")).toBeVisible();
  expect(await moved(), "after a lost connection").toBe("");
  await expect(page.getByText("You’re back online.")).toHaveCount(0);

  // For a reader who has asked for less motion, nothing moves in at all.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.hears(member, "stands there at once");
  expect(await moved(), "with less motion").toBe("");
});
