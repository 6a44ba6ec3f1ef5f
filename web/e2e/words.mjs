import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { exact } from "./exact.mjs";
import { register, sendNote, signedIn } from "./people.mjs";

export const words = {
  "words: a mail is in the language chosen in the app": async ({ page, server, base }) => {
    const person = await register(base, "zweisprachig");
    for (const [language, email, send, greeting] of [
      ["de", "E-Mail", "Link schicken", "Hallo"],
      ["en", "Email", "Send link", "Hello"],
    ]) {
      await page.goto(`${base}/reset`);
      await page.locator("select").selectOption(language);
      await page.getByLabel(email).fill(person.email);
      await page.getByRole("button", exact(send)).click();
      const mail = await mailed(server, `${greeting} ${person.username},`);
      assert.match(mail, /^http\S+\/reset\/[\w-]{43}$/m, "the link can be copied");
    }
  },

  "words: an emoji among words has its colours, on the page and in a picture": async ({
    page,
    context,
    base,
  }) => {
    const person = await register(base, "colourful");
    // DejaVu, which is the system's face here, has both of these in one colour.
    await sendNote(base, person.username, "Call me \u260e or don't \u{1f621}");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    const note = page.getByText("Call me");
    assert.ok((await reds(page, await note.screenshot())) > 60, "the note's emoji are in colour");

    await page.getByRole("button", { name: /^Capture as image/ }).click();
    await page.getByRole("radio", exact("Mint")).check();
    await page.waitForTimeout(150);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", exact("Download")).click();
    const picture = readFileSync(await (await downloading).path());
    assert.ok((await reds(page, picture)) > 600, "the picture's emoji are in colour");
  },
};

/** How many pixels of a picture are red. */
function reds(page, png) {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] > 190 && pixels[at + 1] < 90 && pixels[at + 2] < 110) count += 1;
    return count;
  }, png.toString("base64"));
}

async function mailed(server, greeting) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = (await server.mails()).find((mail) => mail.includes(greeting));
    if (found) return found;
    await new Promise((again) => setTimeout(again, 50));
  }
  throw new Error(`no mail came that says ${greeting}`);
}
