/** How pictures get into a group. */
import { readFileSync } from "node:fs";
import { button, ICON, sees } from "../support/page.ts";
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
