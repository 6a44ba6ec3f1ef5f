/** A conversation of two has what groups have: who is typing, replies and reactions. */
import { writeAndAsk } from "../support/conversation.ts";
import { button } from "../support/page.ts";
import { type Person, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NOTE = "You sat with me at lunch that day.";
const chips = (page: AppPage, words: string) => page.line(words).locator("[data-reaction]");

/** The sender on their private link, and the owner beside them. */
async function both(sender: AppPage, owner: AppPage, person: Person) {
  await sender.goto(`/${person.username}`);
  const privateLink = await writeAndAsk(sender, NOTE);
  await sender.goto("about:blank");
  await sender.goto(privateLink);
  await signedIn(owner.context(), person);
  await owner.goto(privateLink.split("#")[0] ?? "");
  for (const page of [sender, owner]) await page.sees(NOTE);
}

test("each sees the other type, answers a line, and reacts", async ({ page: sender, visitor, person }) => {
  const owner = await visitor();
  await both(sender, owner, person);
  await sender.box.pressSequentially("Will you");
  await expect(owner.getByText("is typing")).toBeVisible();
  await sender.say("Will you play again?");
  await expect(owner.getByText("is typing")).toHaveCount(0);

  await owner.line("Will you play again?").waitFor();
  await owner.messageMenu("Will you play again?", "Reply");
  await expect(owner.replyBar).toBeVisible();
  await owner.say("On Friday.");
  await expect(button(sender.line("On Friday."), /^Reply to .*Will you play again/)).toBeVisible();

  await sender.messageMenu("On Friday.");
  await sender.getByRole("menuitemcheckbox", { name: "heart" }).click();
  for (const page of [sender, owner]) await expect(chips(page, "On Friday.")).toHaveText(["❤️1"]);
  await chips(owner, "On Friday.").click();
  for (const page of [sender, owner]) await expect(chips(page, "On Friday.")).toHaveText(["❤️2"]);
  await expect(chips(sender, "On Friday.")).toHaveAttribute("title", new RegExp(person.username));
  for (const page of [sender, owner]) {
    await page.reload();
    await expect(chips(page, "On Friday.")).toHaveText(["❤️2"]);
    await expect(button(page.line("On Friday."), /^Reply to /)).toBeVisible();
  }
  await chips(sender, "On Friday.").click();
  for (const page of [sender, owner]) await expect(chips(page, "On Friday.")).toHaveText(["❤️1"]);

  await owner.messageMenu("On Friday.", "Unsend");
  for (const page of [sender, owner]) await expect(page.locator("[data-reaction]")).toHaveCount(0);
});
