import { type AppPage, expect } from "./test.ts";

/** Writes a note on somebody's page and asks for an answer. Gives the private link. */
export async function writeAndAsk(page: AppPage, note: string): Promise<string> {
  await page.getByLabel("Your anonymous note").fill(note);
  const wish = page.getByRole("switch", { name: "I’d like an answer" });
  await expect(wish).not.toBeChecked();
  await wish.click();
  await page.button("Send it").click();
  return privateLinkOn(page);
}

export async function privateLinkOn(page: AppPage): Promise<string> {
  await page.sees("Your private link");
  return (await page.region("Your private link").getByRole("link").getAttribute("href")) ?? "";
}

const ROUNDS = 12;

/**
 * All say something in each round, and go on whatever happens after a round. In the end everybody has all of it, once,
 * in the same order, and in each sender's own. Their windows have to be as high as the conversation, because rows that
 * aren't in view aren't in the page.
 */
export async function converse(all: AppPage[], after: (round: number) => Promise<unknown> | undefined) {
  const wanted: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [who, person] of all.entries()) {
      wanted.push(`${who} says ${round}`);
      await person.say(`${who} says ${round}`);
    }
    await after(round);
  }
  for (const person of all) {
    await expect(person.messages).toHaveCount(wanted.length, { timeout: 60_000 });
    await expect(person.getByText("Sending")).toHaveCount(0);
  }
  const [first] = all;
  const shown = (await first?.messages.allTextContents()) ?? [];
  expect([...shown].sort()).toEqual([...wanted].sort());
  for (const person of all) await expect(person.messages).toHaveText(shown);
  for (const who of all.keys()) {
    const own = (words: string) => words.startsWith(`${who} `);
    expect(shown.filter(own)).toEqual(wanted.filter(own));
  }
}
