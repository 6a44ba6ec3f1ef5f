/** The operator pauses the site: everybody reads it, and what is written meanwhile arrives afterwards, once. */
import { expect, test } from "../support/test.ts";

const WORDS = "Back at ten";

test("what a member writes during a pause arrives afterwards", async ({ me, other, server }) => {
  await me.hears(other, "from before");
  await server.annon("pause", WORDS);
  for (const person of [me, other]) await person.sees(WORDS);
  await me.say("from the pause");
  await expect(me.line("from the pause").getByText("Sending")).toBeVisible();
  await expect(other.messages).toHaveText(["from before"]);
  await server.annon("pause", "off");
  for (const person of [me, other]) {
    await expect(person.messages).toHaveText(["from before", "from the pause"]);
    await expect(person.getByText(WORDS)).toHaveCount(0);
  }
  await me.reload();
  await expect(me.messages).toHaveText(["from before", "from the pause"]);
});

test("a page says so, and a note stays in its form", async ({ page, person, server }) => {
  await page.goto(`/${person.username}`);
  const note = page.getByRole("textbox").first();
  await note.fill("a note that waits for the end");
  await server.annon("pause", WORDS);
  await page.getByRole("button", { name: /send/i }).click();
  await page.sees("This site is paused for maintenance.");
  await server.annon("pause", "off");
  await expect(note).toHaveValue("a note that waits for the end");
  await page.getByRole("button", { name: /send/i }).click();
  await page.sees("Anonymous Message Sent to");
});
