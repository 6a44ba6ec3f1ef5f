/** How pictures get into a group. */
import { readFileSync } from "node:fs";
import { button, ICON, placeOf, sees } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const BYTES = [...readFileSync(ICON)];
const LOG = "[role=log]";

/** Pastes or drops files. Gives whether the page has taken them; otherwise the browser would open them. */
const hand = (page: AppPage, how: "paste" | "drop", where: string, ...files: string[]) =>
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

async function cancelled(page: AppPage) {
  await button(page.dialog, "Cancel").click();
  await expect(page.dialog).toHaveCount(0);
}

test("dropped pictures are sent, each with its caption, and are as high", async ({ me, other }) => {
  await hand(me, "drop", LOG, "b.png", "c.png", "d.txt");
  await sees(me.dialog, "Send these 2 photos?");
  const caption = me.dialog.getByLabel("Caption");
  await caption.fill("first".padEnd(120, "."));
  expect(await caption.inputValue()).toHaveLength(100);
  await button(me.dialog, "Show photo 2").click();
  await caption.fill("second");
  await button(me.dialog, "Send").click();
  for (const words of ["first", "second"]) await expect(other.picture(words)).toBeVisible();
  const heights = await other
    .picture()
    .locator("img:last-of-type")
    .evaluateAll((all) => all.map((image) => image.clientHeight));
  expect(new Set(heights).size).toBe(1);
  for (const person of [me, other]) {
    const blurred = person.picture().locator("img:not(:last-of-type)");
    await expect(blurred).toHaveCount(2);
    for (const one of await blurred.all()) await expect(one).toHaveCSS("visibility", "hidden");
  }
});

test("pictures can be dropped and pasted anywhere, and other files cause an error", async ({ me }) => {
  for (const where of ["textarea", "header", "footer", LOG]) {
    expect(await hand(me, "drop", where, "a.png"), where).toBe(true);
    await sees(me.dialog, "Send this photo?");
    await cancelled(me);
  }
  for (const where of ["textarea", "body", LOG]) {
    expect(await hand(me, "paste", where, "a.png"), where).toBe(true);
    await sees(me.dialog, "Send this photo?");
    // The caption has the focus, so the second picture is pasted there.
    expect(await hand(me, "paste", "dialog input", "b.png")).toBe(true);
    await sees(me.dialog, "Send these 2 photos?");
    await cancelled(me);
  }

  // While another dialog is open, pictures aren't added, but the page takes them: the browser must not open them.
  await me.moreMenu("Leave group");
  await expect(me.question).toBeVisible();
  for (const where of ["dialog", "header"]) expect(await hand(me, "drop", where, "a.png")).toBe(true);
  await me.escape(me.question);
  await me.waitForTimeout(300);
  await expect(me.dialog).toHaveCount(0);

  expect(await hand(me, "drop", LOG, "a.txt")).toBe(true);
  await me.sees("You can only send photos here.");
  await expect(me.dialog).toHaveCount(0);
  await hand(me, "drop", LOG, ...Array.from({ length: 14 }, (_, at) => `${at}.png`));
  await sees(me.dialog, "Send these 10 photos?");
  await me.sees("You can only send 10 photos at a time. 4 were left out.");
  await cancelled(me);

  // A pasted picture is sent by Enter. Words that are typed right after the paste are its caption.
  await me.box.focus();
  await hand(me, "paste", ":focus", "one.png");
  await expect(me.dialog).toBeVisible();
  await me.keyboard.type("our cat");
  // A second picture can be pasted, wherever the focus is.
  await hand(me, "paste", ":focus", "two.png");
  await expect(button(me.dialog, "Show photo 2")).toBeVisible();
  expect(await me.focused()).toBe("Caption");
  await me.keys("Enter");
  await expect(me.dialog).toHaveCount(0);
  await expect(me.picture("our cat")).toBeVisible();
  await expect(me.picture()).toHaveCount(2);
  await expect(me.box).toBeFocused();

  // A file that is no picture is left out, and the others are sent.
  const files = [readFileSync(ICON), Buffer.from("no picture"), readFileSync(ICON)].map((buffer, at) => ({
    name: `${at}.png`,
    mimeType: "image/png",
    buffer,
  }));
  await me.setInputFiles("input[type=file]", files);
  await sees(me.dialog, "We couldn’t read that file as a photo.");
  await expect(button(me.dialog, "Send")).toBeDisabled();
  await button(me.dialog, "Remove photo").click();
  await expect(me.dialog.getByRole("img", { name: "Photo 2 of 2", exact: true })).toBeVisible();
  await expect(me.dialog.getByRole("alert")).toHaveCount(0);
  await button(me.dialog, "Send").click();
  await expect(me.picture()).toHaveCount(4);
  await expect(me.getByText("Sending")).toHaveCount(0);
});

/** Draws a picture in the page. Without a background it is transparent. */
const drawn = async (page: AppPage, side: number, background?: string) => {
  const data = await page.evaluate(
    ([side, background]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      if (background) {
        context.fillStyle = background;
        context.fillRect(0, 0, side, side);
      }
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    },
    [side, background] as const,
  );
  return { name: `${side}.png`, mimeType: "image/png", buffer: Buffer.from(data, "base64") };
};

test("a small picture keeps its size, and what is transparent is white for everybody", async ({
  join,
  group,
}) => {
  const [me, other] = [await join(group, { colorScheme: "dark" }), await join(group)];
  for (const [side, caption] of [
    [100, "small"],
    [16, "tiny"],
    [600, "large"],
  ] as const) {
    await me.setInputFiles("input[type=file]", [await drawn(me, side)]);
    const shown = me.dialog.getByRole("img");
    await expect(shown).toBeVisible();
    expect(Math.round((await placeOf(shown)).width), "in the preview").toBeLessThanOrEqual(side);
    await me.dialog.getByLabel("Caption").fill(caption);
    await button(me.dialog, "Send").click();
    for (const person of [me, other]) {
      const image = person.picture(caption).locator("img:last-of-type");
      await expect(image).toHaveAttribute("data-loaded");
      const { width, height } = await placeOf(image);
      // The smallest is still large enough for a finger. The button has a border.
      const most = Math.max(side, 48);
      expect(width, `${caption} is not blown up`).toBeLessThanOrEqual(most);
      expect(height, caption).toBeLessThanOrEqual(most);
      if (side === 100) expect(width).toBeGreaterThan(90);
      await person.atRest();
      const middle = Math.round(width / 2);
      const { at } = await person.painted(await image.screenshot(), [middle, 4]);
      expect(Math.min(...(at[0] ?? [])), `${caption} is white`).toBeGreaterThan(250);
    }
  }
});
