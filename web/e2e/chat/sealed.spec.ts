/** Sealed groups: three browsers talk, and the server sees only what it can't read. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { PICTURE, sentBy, until } from "../support/page.ts";
import { BINARY } from "../support/server.ts";
import { type AppPage, test } from "../support/test.ts";

const NAME = "marked midnight";
const SECRET = "the marked words";

/** Makes a sealed group and opens it. Gives its whole link, as its creator copies it. */
async function openSealed(page: AppPage): Promise<string> {
  const link = await page.makeSealed(NAME);
  await page.sees("Keep this link");
  await page.button("Copy").click();
  expect(await page.clipboard()).toBe(link);
  expect(link).toMatch(/\/room\/[0-9a-f-]{36}#[\w-]{43}$/);
  await page.link("Open Group").click();
  await page.canTalk();
  return link;
}

async function enter(page: AppPage, link: string) {
  await page.goto(link);
  await page.canTalk();
}

test("make a sealed group, talk with three, answer, send a picture, and come back", async ({
  page,
  visitor,
  account: _,
}) => {
  const sent: string[] = [];
  sentBy(page, sent);
  const link = await openSealed(page);
  await expect(page.getByRole("heading", { name: NAME })).toBeVisible();

  const [second, third] = [await visitor(), await visitor()];
  for (const other of [second, third]) {
    sentBy(other, sent);
    await enter(other, link);
  }
  await page.sends(SECRET);
  for (const other of [second, third]) await expect(other.line(SECRET)).toBeVisible();
  await second.answerTo(SECRET);
  await second.sends("an answer of the second");
  await expect(page.line("an answer of the second").getByText(SECRET)).toBeVisible();
  await third.showPictures([PICTURE], "a marked caption");
  for (const one of [page, second, third]) await one.isWhole("a marked caption");

  // Who comes later, and who comes back, reads it too. Nothing is said of what is in doubt.
  await second.reload();
  await second.canTalk();
  const late = await visitor();
  sentBy(late, sent);
  await enter(late, link);
  for (const one of [second, late]) {
    await expect(one.line(SECRET).first()).toBeVisible();
    await one.isWhole("a marked caption");
    await expect(one.getByText(/can’t be opened|is missing|Nobody can check|a new key/)).toHaveCount(0);
  }
  await second.sends("said after a reload");
  await expect(late.line("said after a reload")).toBeVisible();
  await expect(late.getByText("has a new key")).toHaveCount(0);

  // A connection is lost and comes back.
  await second.context().setOffline(true);
  await second.say("written without a network");
  await page.sends("meanwhile");
  await second.context().setOffline(false);
  await expect(page.line("written without a network")).toBeVisible();
  await expect(second.line("meanwhile")).toBeVisible();
  await expect(page.getByText(/can’t be opened|is missing|Nobody can check/)).toHaveCount(0);

  // What was unsent is gone, also where it was quoted.
  await page.messageMenu(SECRET, "Unsend");
  for (const one of [page, second, late]) await expect(one.getByText(SECRET)).toHaveCount(0);

  const key = link.split("#")[1] ?? "";
  const all = sent.join("\n");
  expect(all.length).toBeGreaterThan(10_000);
  for (const secret of [key, key.slice(0, 20), NAME, SECRET, "marked caption", "answer of the second"]) {
    expect(all.includes(secret), `${secret} was sent`).toBe(false);
  }
});

test("without the key, with half of it or another one, nothing is shown, and the link can be pasted", async ({
  page,
  visitor,
  account: _,
}) => {
  const link = await openSealed(page);
  await page.sends(SECRET);
  const [address = "", key = ""] = link.split("#");
  const wrong = key.startsWith("A") ? `B${key.slice(1)}` : `A${key.slice(1)}`;
  for (const [hash, says] of [
    ["", "This link is missing its key"],
    [`#${key.slice(0, 20)}`, "doesn’t fit this group"],
    [`#${wrong}`, "doesn’t fit this group"],
  ] as const) {
    const other = await visitor();
    await other.goto(address + hash);
    await other.sees(says);
    await expect(other.getByText(SECRET)).toHaveCount(0);
    await expect(other.getByText(NAME)).toHaveCount(0);
    await other.getByLabel("The whole link").fill(address);
    await other.button("Open the group").click();
    await other.sees("That isn’t the whole link");
    await other.getByLabel("The whole link").fill(link);
    await other.button("Open the group").click();
    await other.canTalk();
    await expect(other.line(SECRET)).toBeVisible();
  }
  // The list of groups has no key, and says so.
  await page.goto("/homepage?tab=groups");
  await page.sees("Open it by its whole link");
  await expect(page.getByText(NAME)).toHaveCount(0);
});

test("a terminal takes part, which seals and opens by other code", async ({ page, server, account: _ }) => {
  const link = await openSealed(page);
  await page.sends(SECRET);
  const room = new URL(link).pathname.split("/")[2] + new URL(link).hash;
  const terminal = spawn(join(dirname(BINARY), "annon-bench"), [
    "chat",
    "--url",
    server.base,
    "--room",
    room,
  ]);
  try {
    let printed = "";
    for (const stream of [terminal.stdout, terminal.stderr]) {
      stream.on("data", (bytes) => {
        printed += bytes;
      });
    }
    await until("the terminal has a seat", async () => printed.includes("You are"));
    expect(printed).toContain(`${NAME} is sealed`);
    await page.say("said in a browser");
    await until("the terminal hears it", async () => printed.includes("said in a browser"));
    terminal.stdin.write("said in a terminal\n");
    await expect(page.line("said in a terminal")).toBeVisible();
    terminal.stdin.write('and "once" more\n');
    await expect(page.line("and “once” more").or(page.line('and "once" more'))).toBeVisible();
    await expect(page.getByText(/can’t be opened|is missing|Nobody can check/)).toHaveCount(0);
    expect(printed).not.toContain("[");
  } finally {
    terminal.kill();
  }
});

test("what the server says wrongly is said on the screen, and never shown as words", async ({
  page,
  visitor,
  account: _,
}) => {
  const link = await openSealed(page);
  const other = await visitor();
  await enter(other, link);
  await page.sends("the first", "the second", "the third", "the fourth");
  await other.sends("of another");
  await expect(other.line("the fourth")).toBeVisible();

  // A server that isn't honest: a page is changed on its way.
  type Line = { event: string; id: string; sender: string; message: string; kind?: string };
  const victim = await visitor();
  await victim.route("**/api/room/*/seat", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const lines: Line[] = body.data.messages;
    const said = lines.filter((line) => "id" in line && line.kind === undefined);
    const [, second, third, fourth, theirs] = said;
    if (!second || !third || !fourth || !theirs) throw new Error("lines are missing");
    // The second is kept back; the third has another's words; the fourth another sender.
    body.data.messages = lines.filter((line) => line !== second);
    third.message = theirs.message;
    await route.fulfill({ response, json: body });
  });
  await enter(victim, link);
  await expect(victim.line("the first")).toBeVisible();
  await expect(victim.getByText("This message can’t be opened")).toHaveCount(1);
  await expect(victim.getByText("wrote before this is missing")).toHaveCount(1);
  await expect(victim.line("the fourth")).toBeVisible();
  await expect(victim.getByText("the second")).toHaveCount(0);
});

test("who is removed still has the key: the creator makes a group for all others, and shares its link", async ({
  page,
  visitor,
  account: _,
}) => {
  const link = await openSealed(page);
  const [fox, dog] = [await visitor(), await visitor()];
  for (const other of [fox, dog]) await enter(other, link);
  const name = async (other: AppPage) => (await other.getByText(/^You are /).textContent())?.slice(8) ?? "";
  const [who, stays] = [await name(fox), await name(dog)];
  const sent: string[] = [];
  sentBy(page, sent);
  await page.showMembers();
  // Also without removing anybody.
  await page.button(`More options for ${stays}`).click();
  await page.item(`New group for all but ${stays}`).click();
  await expect(page.dialog).toContainText(`${stays} has the key of this group`);
  await page.escape();
  await page.button(`More options for ${who}`).click();
  await page.item(`Remove ${who}`).click();
  await page.dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.dialog).toContainText(`New group for all but ${who}`);
  await page.dialog.getByRole("button", { name: "Create Group" }).click();
  await expect(page.dialog).toContainText(`Send this link to everyone but ${who}`);
  await page.dialog.getByRole("button", { name: "Copy" }).click();
  const fresh = await page.clipboard();
  expect(fresh.split("#")[1]).not.toBe(link.split("#")[1]);
  // Nobody here hears of it.
  const [id, key] = [new URL(fresh).pathname.split("/")[2] ?? "", new URL(fresh).hash.slice(1)];
  expect(sent.join("\n")).not.toContain(key);
  expect(sent.filter((one) => one.includes("event.chat"))).toEqual([]);
  await page.escape();
  await expect(page.log).not.toContainText(id);
  await dog.goto(fresh);
  await dog.canTalk();
  await expect(dog.heading(NAME)).toBeVisible();
});

test("what was typed is there when the group ends, and gone with the page", async ({
  page,
  visitor,
  account: _,
}) => {
  const link = await openSealed(page);
  const other = await visitor();
  await enter(other, link);
  await other.box.fill("a marked half sentence");
  await page.moreMenu("Delete group");
  await page.answerQuestion("Delete");
  await other.sees("You were writing");
  await other.sees("a marked half sentence");
  await other.sees(NAME);
  const history = await other.evaluate(() => JSON.stringify([window.history.state, { ...sessionStorage }]));
  expect(history).not.toMatch(/marked/);
  await other.reload();
  await expect(other.heading("The creator has deleted this group")).toBeVisible();
  await expect(other.getByText("marked")).toHaveCount(0);
});

test("who finds no seat can try again with the whole link", async ({ page, visitor, account: _ }) => {
  const link = await openSealed(page);
  await page.sends(SECRET);
  const other = await visitor();
  await other.answers("**/api/room/*/seat", 403, { code: "group_full", message: "" });
  await other.goto(link);
  await other.waitForURL("**/roomfull");
  await other.unroute("**/api/room/*/seat");
  await other.link(/^(Try again|Take the seat)$/).click();
  await expect(other.line(SECRET)).toBeVisible();
});

test("what is kept on the device can't be read without the link", async ({ page, account: _ }) => {
  const link = await openSealed(page);
  await page.sends("so that there is something");
  // A page that is cut off has what it loads only when it is needed.
  await page.keptByWorker();
  await page.context().setOffline(true);
  await page.say("a marked message that waits");
  await page.box.fill("a marked draft");
  await page.showPictures([PICTURE], "a marked caption that waits");
  await until("the picture is kept", async () => (await page.keptPictures()) === 1);
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open("annon");
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const all = database.transaction("pictures").objectStore("pictures").getAll();
      const pictures = await new Promise<object[]>((resolve) => {
        all.onsuccess = () => resolve(all.result);
      });
      database.close();
      const words = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, pictures]);
      const files = pictures.flatMap((picture) => Object.values((picture as { shrunk: object }).shrunk));
      const blobs = files.filter((file): file is Blob => file instanceof Blob);
      const heads = await Promise.all(blobs.map(async (blob) => new Uint8Array(await blob.arrayBuffer())[0]));
      return { words, heads };
    });
  await until("the draft is kept", async () => /annon\.draft/.test((await kept()).words));
  const { words, heads } = await kept();
  expect(words).toContain("annon.outbox");
  for (const secret of ["marked", link.split("#")[1] ?? ""]) expect(words).not.toContain(secret);
  expect(heads.length).toBe(2);
  expect(heads, "no JPEG").not.toContain(0xff);
  // With the link all of it is there again.
  await page.context().setOffline(false);
  await page.goto(link);
  await page.reload();
  await page.canTalk();
  for (const line of ["a marked message that waits", "a marked caption that waits"])
    await expect(page.sent(line)).toBeVisible();
  await expect(page.box).toHaveValue("a marked draft");
});
