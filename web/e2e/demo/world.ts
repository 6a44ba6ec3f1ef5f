/** Fills a server with people, notes, answers, conversations and groups. */
import { readFileSync } from "node:fs";
import { type Member, takeSeat } from "../support/members.ts";
import {
  answerInPublic,
  askForAnswer,
  type Conversation,
  createGroup,
  type Group,
  knockAt,
  type Person,
  register,
  sayIn,
  seeNotes,
  sendNotes,
  sendOnlyFor,
  setUpPage,
} from "../support/people.ts";
import { BAKER, CELLIST, GROUP, SAID, TALK } from "./script.ts";

const PHOTO = new URL("./stand.jpg", import.meta.url);

export interface DemoWorld {
  cellist: Person;
  baker: Person;
  /** The path of the cellist's newest public answer. */
  answer: string;
  conversation: Conversation;
  group: Group;
  members: Member[];
  asking: Group;
}

export async function fill(base: string): Promise<DemoWorld> {
  const cellist = await register(base, CELLIST.username);
  await setUpPage(cellist, CELLIST.page);
  await sendNotes(cellist, ...CELLIST.notes);
  await seeNotes(cellist);
  let answer = "";
  for (const [note, words] of CELLIST.published) answer = await answerInPublic(cellist, note, words);
  await sendOnlyFor(cellist, CELLIST.onlyForYou);
  const conversation = await askForAnswer(cellist, TALK.note);
  for (const [side, words] of TALK.lines) await sayIn(conversation, side, words);
  await askForAnswer(cellist, CELLIST.waiting);
  await sendNotes(cellist, CELLIST.last);

  const baker = await register(base, BAKER.username);
  await setUpPage(baker, BAKER.page);
  await sendNotes(baker, ...BAKER.notes);

  const group = await createGroup(cellist, GROUP);
  const members = [];
  for (let seat = 0; seat < 4; seat += 1) members.push(await takeSeat(group));
  await talkIn(members);
  const asking = await createGroup(cellist, "the last row", true);
  await knockAt(asking);
  return { cellist, baker, answer, conversation, group, members, asking };
}

/** The members say what they have to say, one after the other. */
async function talkIn(members: Member[]) {
  const places: number[] = [];
  for (const { who, words, to, photo, reactions = [] } of SAID) {
    const member = members[who];
    const place = photo
      ? await member.shows(await member.upload(readFileSync(PHOTO)), words)
      : await member.says(words, to === undefined ? undefined : places[to]);
    places.push(place);
    for (const [by, emoji] of reactions) members[by].react(place, emoji);
  }
}
