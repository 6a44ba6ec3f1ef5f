/** How pictures get into a group, and where they stay. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import {
  box,
  enter,
  groupMenu,
  keptPictures,
  line,
  log,
  picture,
  sent,
  showPictures,
} from "../support/group.ts";
import {
  button,
  dialog,
  focused,
  ICON,
  keptByWorker,
  PICTURE,
  press,
  question,
  sees,
  until,
} from "../support/page.ts";
import { recorded } from "../support/recorded.ts";
import { expect, test } from "../support/test.ts";

const BYTES = [...readFileSync(ICON)];
const LOG = "[role=log]";

/** Pastes or drops files; gives whether the page took them, for the browser would open them otherwise. */
const hand = (page: Page, how: "paste" | "drop", where: string, ...files: string[]) =>
  page.evaluate(
    ([how, where, files, bytes]) => {
      const transfer = new DataTransfer();
      for (const name of files) {
        const type = name.endsWith(".png") ? "image/png" : "text/plain";
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      }
      const bubbles = { bubbles: true, cancelable: true };
      const at = document.querySelector(where) as Element;
      const events =
        how === "paste"
          ? [new ClipboardEvent("paste", { ...bubbles, clipboardData: transfer })]
          : ["dragover", "drop"].map((type) => new DragEvent(type, { ...bubbles, dataTransfer: transfer }));
      return events.map((event) => !at.dispatchEvent(event)).every(Boolean);
    },
    [how, where, files, BYTES] as const,
  );

async function cancelled(page: Page) {
  await button(dialog(page), "Cancel").click();
  await expect(dialog(page)).toHaveCount(0);
}

test("dropped pictures are sent, each with its caption, and shown as high as each other", async ({
  page,
  group,
  join,
}) => {
  await enter(page, group);
  const other = await join(group);
  await hand(page, "drop", LOG, "b.png", "c.png", "d.txt");
  await sees(dialog(page), "Send these 2 pictures?");
  const caption = dialog(page).getByLabel("Caption");
  await caption.fill("first".padEnd(120, "."));
  expect(await caption.inputValue()).toHaveLength(100);
  await button(dialog(page), "Show picture 2").click();
  await caption.fill("second");
  await button(dialog(page), "Send").click();
  for (const words of ["first", "second"]) await expect(picture(other, words)).toBeVisible();
  const heights = await picture(other)
    .locator("img:last-of-type")
    .evaluateAll((all) => all.map((image) => image.clientHeight));
  expect(new Set(heights).size).toBe(1);
  for (const person of [page, other]) {
    const blurred = picture(person).locator("img:not(:last-of-type)");
    await expect(blurred).toHaveCount(2);
    for (const one of await blurred.all()) await expect(one).toHaveCSS("visibility", "hidden");
  }
});

test("pictures are taken wherever they are dropped or pasted, and what isn't is told", async ({
  page,
  group,
}) => {
  await enter(page, group);
  for (const where of ["textarea", "header", "footer", LOG]) {
    expect(await hand(page, "drop", where, "a.png"), where).toBe(true);
    await sees(dialog(page), "Send this picture?");
    await cancelled(page);
  }
  for (const where of ["textarea", "body", LOG]) {
    expect(await hand(page, "paste", where, "a.png"), where).toBe(true);
    await sees(dialog(page), "Send this picture?");
    // The caption has the focus, so that is where a second one is pasted.
    expect(await hand(page, "paste", "dialog input", "b.png")).toBe(true);
    await sees(dialog(page), "Send these 2 pictures?");
    await cancelled(page);
  }

  // Behind any other dialog nothing is added, and nothing is left either.
  await groupMenu(page, "Leave group");
  await expect(question(page)).toBeVisible();
  for (const where of ["dialog", "header"]) expect(await hand(page, "drop", where, "a.png")).toBe(true);
  await press(page, "Escape");
  await expect(question(page)).toHaveCount(0);
  await page.waitForTimeout(300);
  await expect(dialog(page)).toHaveCount(0);

  expect(await hand(page, "drop", LOG, "a.txt")).toBe(true);
  await sees(page, "You can only send pictures here.");
  await expect(dialog(page)).toHaveCount(0);
  await hand(page, "drop", LOG, ...Array.from({ length: 14 }, (_, at) => `${at}.png`));
  await sees(dialog(page), "Send these 10 pictures?");
  await sees(page, "You can only send 10 pictures at a time. 4 were left out.");
});

test("a picture that is pasted is sent by Enter, with what was typed at once", async ({ page, group }) => {
  await enter(page, group);
  await box(page).focus();
  await hand(page, "paste", ":focus", "one.png");
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.type("our cat");
  // Another one joins it, wherever the focus is.
  await hand(page, "paste", ":focus", "two.png");
  await expect(button(dialog(page), "Show picture 2")).toBeVisible();
  expect(await focused(page)).toBe("Caption");
  await press(page, "Enter");
  await expect(dialog(page)).toHaveCount(0);
  await expect(picture(page, "our cat")).toBeVisible();
  await expect(picture(page)).toHaveCount(2);
  await expect(box(page)).toBeFocused();
});

test("a file that is no picture is left out, and the others are sent", async ({ page, group }) => {
  await enter(page, group);
  const files = [readFileSync(ICON), Buffer.from("no picture"), readFileSync(ICON)].map((buffer, at) => ({
    name: `${at}.png`,
    mimeType: "image/png",
    buffer,
  }));
  await page.setInputFiles("input[type=file]", files);
  await sees(dialog(page), "We couldn’t read that file as a picture.");
  await expect(button(dialog(page), "Send")).toBeDisabled();
  await button(dialog(page), "Remove picture").click();
  await expect(dialog(page).getByRole("img", { name: "Picture 2 of 2", exact: true })).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);
  await button(dialog(page), "Send").click();
  await expect(picture(page)).toHaveCount(2);
  await expect(page.getByText("Sending")).toHaveCount(0);
});

test("a picture that the server has no more is uploaded anew", async ({ page, group, join }) => {
  await enter(page, group);
  const other = await join(group);
  // As if both of its files had been taken in, and forgotten while the message couldn't be sent.
  const forgotten = `/api/room/${group.id}/image/6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11`;
  let uploads = 0;
  await page.route("**/api/room/upload-image", (route) => {
    uploads += 1;
    return uploads <= 2
      ? route.fulfill({ status: 201, json: { status: 201, message: forgotten } })
      : route.continue();
  });
  await showPictures(page, [PICTURE], "the card");
  await expect(picture(other, "the card")).toBeVisible();
  expect(uploads).toBe(4);
  await expect.poll(() => keptPictures(page)).toBe(0);
  await expect(button(page, "Retry")).toHaveCount(0);
});

test("pictures are fetched once, and stay in no browser's cache", async ({ page, group, join, seats }) => {
  await enter(page, group);
  await showPictures(page, [ICON], "look");
  await expect(sent(page, "look")).toBeVisible();
  const other = await join(group);
  const requests = await recorded(other);
  await other.reload();
  const shown = line(other, "look").locator("[data-loaded]");
  await expect(shown).toBeVisible();
  const [talker] = await seats(group, 1);
  talker.sayLines(60, "and so on, and so forth, for a while,");
  await expect(line(other, "for a while, 59")).toBeVisible();
  const collector = await other.context().newCDPSession(other);
  for (let time = 0; time < 3; time += 1) {
    await log(other).evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(line(other, "look")).toHaveCount(0);
    await collector.send("HeapProfiler.collectGarbage");
    await until("the picture is seen again", async () => {
      await log(other).evaluate((list) => list.scrollTo(0, 0));
      return shown.isVisible();
    });
  }
  // What comes from memory has no headers: they never went out.
  const asked = requests()
    .filter(({ path, headers }) => path.includes("/image/") && Object.keys(headers).length > 0)
    .map(({ path }) => path);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked).toEqual([...new Set(asked)]);
  // A browser that kept it, or its worker, would have it without asking.
  await keptByWorker(other);
  const isCached = (path: string) =>
    other.evaluate(
      (address) =>
        fetch(address, { cache: "only-if-cached", mode: "same-origin" }).then(
          ({ ok }) => ok,
          () => false,
        ),
      path,
    );
  for (const path of asked) expect(await isCached(path), path).toBe(false);
  const style = await other.locator("link[rel=stylesheet]").first().getAttribute("href");
  expect(await isCached(style ?? ""), "what may be kept is").toBe(true);
});
