/** What a device keeps of an inbox, to be read without a network. */
import { button, holdBack } from "../support/page.ts";
import { PASSWORD, register, sendNotes } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const KEPT = ["Read before the tunnel.", "Deleted before the tunnel."];
const OFFLINE = /^You’re offline. This is your inbox as of \d/;

/** What is in the database: the record's bytes as text, and whether its key can be exported. */
const kept = (page: AppPage) =>
  page.evaluate(async () => {
    const has = (await indexedDB.databases()).some(({ name }) => name === "annon-inbox");
    if (!has) return undefined;
    const answer = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await answer(indexedDB.open("annon-inbox"));
    try {
      const record = await answer(database.transaction("kept").objectStore("kept").get("inbox"));
      return record && { extractable: record.key.extractable, text: new TextDecoder().decode(record.text) };
    } finally {
      database.close();
    }
  });

test("an inbox that was read is readable without a network", async ({ page, context, account }) => {
  await sendNotes(account, ...KEPT);
  await page.goto("/homepage?tab=inbox");
  const [read, deleted] = KEPT.map((words) => page.cards.filter({ hasText: words }));
  await expect(page.cards).toHaveCount(2);
  await page.noteMenu(deleted, "Delete");
  await expect(page.button("Undo")).toBeFocused();
  await page.reload();
  await expect(page.cards).toHaveCount(1);
  await page.keptByWorker();
  await expect.poll(async () => (await kept(page))?.extractable).toBe(false);
  expect((await kept(page))?.text).not.toContain("tunnel");

  await context.setOffline(true);
  await page.reload();
  await page.sees(OFFLINE);
  await expect(read).toBeVisible();
  await expect(deleted).toHaveCount(0);
  // Reading needs no server. Deleting does, and says so.
  await button(read, /^Read/).click();
  await page.noteMenu(read, "Delete");
  await page.sees("Not possible until the server responds again.");
  await expect(page.button("Undo")).toHaveCount(0);

  await sendNotes(account, "Written meanwhile.");
  await context.setOffline(false);
  await page.sees("Written meanwhile.");
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
  await page.noteMenu(read, "Delete");
  await expect(page.button("Undo")).toBeFocused();
});

test("what is kept goes with the sign-in", async ({ page, context, server, account }) => {
  await sendNotes(account, ...KEPT);
  const isKept = (at: AppPage, is: boolean) =>
    expect.poll(async () => (await kept(at)) !== undefined, "the device has kept it").toBe(is);
  const open = async () => {
    await page.goto("/homepage?tab=inbox");
    await expect(page.cards).toHaveCount(2);
    await isKept(page, true);
  };
  const signIn = async (name: string) => {
    await page.goto("/login");
    await page.signInByForm(name, PASSWORD);
    await page.waitForURL("**/homepage*");
  };

  // With the inbox open in another window.
  await open();
  const other = withSteps(await context.newPage());
  await other.goto("/settings");
  await other.button(/^Log Out/).click();
  await other.answerQuestion("Log Out");
  await other.waitForURL("**/login");
  await page.waitForURL("**/login");
  await isKept(page, false);
  await other.close();

  // Another user of this browser. Nobody has signed out before: the sign-in has only expired.
  await signIn(account.username);
  await open();
  await context.clearCookies({ name: "annon_token" });
  await page.goto("/about");
  const before = await kept(page);
  expect(before).toBeDefined();
  await signIn((await register(server.base)).username);
  await page.tab("Inbox").click();
  await page.sees("All quiet");
  // Now the device keeps the other inbox, with another key.
  await expect.poll(async () => (await kept(page))?.text.length).toBeLessThan(before?.text.length ?? 0);
});

test("a server that takes long is waited for behind what was kept", async ({ page, account }) => {
  await sendNotes(account, ...KEPT);
  await page.goto("/homepage?tab=inbox");
  await expect(page.cards).toHaveCount(2);
  await expect.poll(async () => (await kept(page))?.extractable).toBe(false);
  const answer = await holdBack(page, "**/api/messages*");
  await page.reload();
  await page.sees(/^The server isn’t responding. This is your inbox as of \d/);
  await expect(page.cards).toHaveCount(2);
  answer();
  await expect(page.getByText("The server isn’t responding.")).toHaveCount(0);
  await expect(page.cards).toHaveCount(2);
});
