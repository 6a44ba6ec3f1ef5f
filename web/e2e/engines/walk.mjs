/** One short walk through the app, for every engine: what people do most, and what engines differ in. */
import assert from "node:assert/strict";
import { runnerImport } from "vite";
import { PASSWORD } from "../people.mjs";
import { PICTURE } from "../rooms.mjs";
import { part, screenOf } from "./screen.mjs";

async function words(part) {
  const path = new URL(`../../src/shared/text/en/${part}.ts`, import.meta.url).pathname;
  return (await runnerImport(path, { logLevel: "silent" })).module[part];
}

const en = await words("site");
const app = await words("app");
const chat = (await words("chat")).screen;

const MESSAGE = chat.composer.label;

/** `person` opens a window with cookies of its own; `photo` keeps a picture of one. */
export async function walk({ server, person, photo }) {
  const owner = screenOf(await person());
  const guest = screenOf(await person());
  await owner.resize(390, 844);
  await guest.resize(390, 844);
  const name = "walker-one";
  await signUp(owner, server.base, name, photo);
  await noteArrives(owner, guest, server.base, name, photo);
  const address = await openGroup(owner, server.base);
  await talk(owner, guest, address, photo);
  await reloadKeepsSeat(guest);
  await powerFails(owner, guest, server);
  for (const screen of [owner, guest]) assert.equal(await screen.faults(), "");
}

async function signUp(screen, base, name, photo) {
  await screen.open(`${base}/`);
  await screen.see("heading", part(new RegExp(en.landing.hero.lead)));
  await photo(screen, "landing");
  await screen.click("link", en.actions.signUp);
  await screen.write(app.form.username, name);
  await screen.write(app.form.email, `${name}@mail.example`);
  await screen.write(app.form.password, PASSWORD);
  await screen.click("button", app.signUp.submit);
  await screen.write(app.login.identifier, name);
  await screen.write(app.form.password, PASSWORD);
  await screen.click("button", app.login.submit);
  await screen.see("heading", app.home.hello(name));
}

/** Typed on one page, read on another as it comes by the socket. */
async function noteArrives(owner, guest, base, name, photo) {
  await owner.click("tab", part(new RegExp(`^${app.home.tabs.inbox}`)));
  await owner.read(app.inbox.emptyHeading);
  await guest.open(`${base}/${name}`);
  const note = "Nobody will ever know which browser wrote this.";
  await guest.write(app.note.words, note);
  await guest.click("button", app.note.submit);
  await guest.see("heading", app.note.sent(name));
  await owner.see("tab", part(new RegExp(app.home.unread(1))));
  await owner.click("button", part(new RegExp(`^${app.inbox.expand("")}`)));
  await owner.read(note);
  await owner.see("tab", app.home.tabs.inbox);
  await photo(owner, "inbox");
}

/** Gives the group's address. */
async function openGroup(owner, base) {
  await owner.open(`${base}/room/new`);
  await owner.write(app.newGroup.name, "midnight tacos");
  await owner.click("button", app.newGroup.submit);
  const { href } = await owner.see("link", app.newGroup.done.open);
  await owner.click("link", app.newGroup.done.open);
  return href;
}

async function talk(owner, guest, address, photo) {
  await say(owner, "Who is still awake?");
  await guest.open(address);
  await guest.hear("Who is still awake?");
  await say(guest, "Me. Obviously");
  await owner.hear("Me. Obviously");
  await guest.choose("input[type=file]", PICTURE);
  await guest.write(chat.preview.caption, "the card");
  await guest.click("button", chat.preview.send);
  for (const screen of [owner, guest]) await screen.picture(part(/the card/));
  await photo(owner, "group");
  // A page that scrolls would have a bar beside the group.
  assert.deepEqual(await owner.evaluate("[document.documentElement.scrollHeight, innerWidth]"), [
    await owner.evaluate("innerHeight"),
    await owner.evaluate("document.documentElement.clientWidth"),
  ]);
}

async function reloadKeepsSeat(screen) {
  const face = () => screen.evaluate(`document.querySelector("form [data-tone]").textContent`);
  const before = await face();
  await screen.reload();
  // What was said stands there from the last visit at once; who is here only the server knows.
  await screen.see("button", part(new RegExp(chat.header.members(2, 2))));
  await screen.hear("Who is still awake?");
  assert.equal(await face(), before);
}

/** What is written while the server is gone arrives once, and nothing else is lost. */
async function powerFails(owner, guest, server) {
  await server.kill();
  for (const screen of [owner, guest]) await screen.read(chat.connection.reconnecting);
  await say(owner, "Is anybody there?");
  await server.restart();
  await guest.hear("Is anybody there?");
  await say(guest, "Always");
  const all = ["Who is still awake?", "Me. Obviously", "the card", "Is anybody there?", "Always"];
  for (const screen of [owner, guest]) {
    await screen.hear("Always");
    assert.deepEqual(await said(screen), all);
    await screen.reload();
    await screen.hear("Always");
    assert.deepEqual(await said(screen), all);
  }
}

async function say(screen, words) {
  await screen.write(MESSAGE, words);
  await screen.press(["Enter"]);
  await screen.hear(words);
}

/** What the messages on the screen say, from top to bottom. */
const said = (screen) =>
  screen.evaluate(
    `[...document.querySelectorAll("[role=log] article [data-emoji]")].map(({ textContent }) => textContent)`,
  );
