/** Creates through the API what has to exist before a test begins. */
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";

export const PASSWORD = "correct horse";

export interface Person {
  base: string;
  username: string;
  email: string;
}

export interface Group {
  base: string;
  host: Person;
  name: string;
  id: string;
  path: string;
  url: string;
}

let made = 0;

/** Calls the API. Gives what it answers, whose `status` is the answer's own. */
export async function post(base: string, path: string, body: object, token?: string) {
  const headers: HeadersInit = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(`${base}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function register(base: string, username = `person-${++made}`): Promise<Person> {
  const email = `${username}@mail.example`;
  await post(base, "/register", { username, email, password: PASSWORD });
  return { base, username, email };
}

export async function tokenOf({ base, username }: Person): Promise<string> {
  const body = { email_or_username: username, password: PASSWORD };
  return (await post(base, "/login", body)).access_token;
}

export async function inboxOf(person: Person): Promise<string[]> {
  const headers = { Authorization: `Bearer ${await tokenOf(person)}` };
  const { data } = await (await fetch(`${person.base}/api/messages`, { headers })).json();
  return data.map(({ message }: { message: string }) => message);
}

export async function sendNotes({ base, username }: Person, ...notes: string[]) {
  const target = await (await fetch(`${base}/api/annon/${username}`)).json();
  for (const message of notes) await post(base, "/annon-message", { id: target.message, message });
}

export async function call(method: string, { base, ...who }: Person, path: string, body: object) {
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Bearer ${await tokenOf({ base, ...who })}`,
  };
  const answer = await fetch(`${base}/api${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Sends a note, and answers it in public. Gives the path of the answer. */
export async function answerInPublic(person: Person, note: string, answer: string): Promise<string> {
  await sendNotes(person, note);
  const headers = { Authorization: `Bearer ${await tokenOf(person)}` };
  const { data } = await (await fetch(`${person.base}/api/messages`, { headers })).json();
  const published = await call("PUT", person, `/message/${data[0].id}/answer`, { answer });
  return `/${person.username}/a/${published.data.id}`;
}

/** Somebody has seen all the notes in their inbox. */
export async function seeNotes(person: Person) {
  const headers = { Authorization: `Bearer ${await tokenOf(person)}` };
  const { data } = await (await fetch(`${person.base}/api/messages`, { headers })).json();
  for (const { id } of data) await fetch(`${person.base}/api/mark_as_seen/${id}`, { headers });
}

/** Sends a note that is only for its recipient. */
export async function sendOnlyFor({ base, username }: Person, message: string) {
  const target = await (await fetch(`${base}/api/annon/${username}`)).json();
  await post(base, "/annon-message", { id: target.message, message, only_for_you: true });
}

/** What somebody sets up of their personal page. */
export const setUpPage = (person: Person, page: object) => call("PATCH", person, "/page", page);

export const setUpInbox = (person: Person, inbox: object) => call("PATCH", person, "/inbox", inbox);

/** Signs in without the form: writes the cookie, and the pad that it is combined with, as the app does. */
export async function signedIn(context: BrowserContext, person: Person, site = person.base) {
  const token = await tokenOf(person);
  const [framed, pad] = [Buffer.alloc(512), randomBytes(512)];
  framed.writeUInt16BE(token.length);
  framed.write(token, 2);
  const value = Buffer.from(framed.map((byte, at) => byte ^ pad[at])).toString("base64url");
  await context.addCookies([{ name: "annon_token", value, url: site }]);
  const page = await context.newPage();
  await page.goto(`${site}/robots.txt`);
  await page.evaluate((pad) => localStorage.setItem("annon.pad.annon_token", pad), pad.toString("base64url"));
  await page.close();
}

/** With `askFirst`, newcomers have to knock. */
export async function createGroup(host: Person, name = "midnight tacos", askFirst = false): Promise<Group> {
  const body = { name, ask_first: askFirst };
  const { room_id: id } = await post(host.base, "/room/create", body, await tokenOf(host));
  const path = `/room/${id}`;
  return { base: host.base, host, name, id, path, url: host.base + path };
}

/** The creator flips the switch in another window. */
export const askFirst = ({ host, path }: Group, isOn: boolean) =>
  call("PATCH", host, path, { ask_first: isOn });

/** Somebody without a browser knocks. Gives the knock. */
export async function knockAt({ base, id }: Group): Promise<string> {
  return (await post(base, `/room/${id}/knock`, {})).knock;
}

/** The creator admits or declines somebody. */
export async function answerKnock({ base, host, id }: Group, knock: string, admit: boolean) {
  await post(base, `/room/${id}/knock/${knock}`, { admit }, await tokenOf(host));
}

export async function deleteGroup({ base, host, path }: Group) {
  const headers = { Authorization: `Bearer ${await tokenOf(host)}` };
  await fetch(`${base}/api${path}`, { method: "DELETE", headers });
}

/** A conversation as its sender has it: the path of the private link, and what follows from its secret. */
export interface Conversation {
  to: Person;
  id: string;
  key: string;
  secret: string;
  path: string;
}

/** What follows from a new private link to somebody, and what their server is told of it. */
export function newConversation(to: Person) {
  const secret = randomBytes(16);
  const derived = (what: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `annon conversation ${what}`, bytes));
  const [id, key] = [derived("id", 16).toString("base64url"), derived("key", 32)];
  const proof = createHash("sha256").update(key).digest("base64url");
  const text = secret.toString("base64url");
  const path = `/c/${id}#${text}`;
  const begun: Conversation = { to, id, key: key.toString("base64url"), secret: text, path };
  return { begun, wish: { conversation: { id, proof } } };
}

/** Sends a note whose sender would like an answer. */
export async function askForAnswer(to: Person, message: string): Promise<Conversation> {
  const { begun, wish } = newConversation(to);
  const target = await (await fetch(`${to.base}/api/annon/${to.username}`)).json();
  await post(to.base, "/annon-message", { id: target.message, message, ...wish });
  return begun;
}

export const newLineId = () => randomBytes(12).toString("hex").slice(0, 15);

/** The owner or the sender says something in a conversation. */
export async function sayIn(
  { to, id, key }: Conversation,
  side: "owner" | "sender",
  message: string,
  sealed?: { id: string; sealed: true },
) {
  const authorization = side === "owner" ? `Bearer ${await tokenOf(to)}` : `Annon ${key}`;
  const line = { id: newLineId(), message, ...sealed };
  const answer = await fetch(`${to.base}/api/conversation/${id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: authorization },
    body: JSON.stringify(line),
  });
  if (!answer.ok) throw new Error(`nothing was said: ${answer.status} ${await answer.text()}`);
}

/** The owner closes a conversation. */
export async function closeConversation({ to, id }: Conversation) {
  await fetch(`${to.base}/api/conversation/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${await tokenOf(to)}` },
    body: JSON.stringify({ open: false }),
  });
}

/** The owner or the sender ends a conversation. */
export async function endConversation({ to, id, key }: Conversation, side: "owner" | "sender") {
  const authorization = side === "owner" ? `Bearer ${await tokenOf(to)}` : `Annon ${key}`;
  await fetch(`${to.base}/api/conversation/${id}`, {
    method: "DELETE",
    headers: { Authorization: authorization },
  });
}

export const deleteAccount = (person: Person) =>
  call("DELETE", person, "/user/delete", { password: PASSWORD });
