/** A server that is full of life for as long as it runs: `make demo`. */
import { PASSWORD, sendNotes } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { CELLIST, GOING_ON } from "./script.ts";
import { type DemoWorld, fill } from "./world.ts";

const LINE_EVERY_MS = 7_000;
const NOTE_EVERY_MS = 40_000;
const TYPES_FOR_MS = 1_500;

const server = await startServer();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await server.stop();
    process.exit(0);
  });
}
const world = await fill(server.base);
liveOn(world);
console.log(told(world));

/** They go on talking, and notes keep coming, until each has been said once. */
function liveOn({ cellist, members }: DemoWorld) {
  const every = (ms: number, say: (() => unknown)[]) => {
    const timer = setInterval(() => (say.length ? say.shift()?.() : clearInterval(timer)), ms);
  };
  every(
    LINE_EVERY_MS,
    GOING_ON.map(([who, words]) => () => {
      members[who].type();
      setTimeout(() => members[who].say(words), TYPES_FOR_MS);
    }),
  );
  every(
    NOTE_EVERY_MS,
    CELLIST.later.map((note) => () => sendNotes(cellist, note)),
  );
}

function told({ cellist, baker, answer, conversation, group, asking }: DemoWorld): string {
  const { base } = cellist;
  return `
Annon is full of life at ${base}. Ctrl-C ends it and removes its data.

  a visitor's page    ${base}/${cellist.username}
  another one         ${base}/${baker.username}
  a public answer     ${base}${answer}
  a conversation      ${base}${conversation.path}
                      as its sender sees it: the link is all that there is
  a lively group      ${group.url}
  one that asks first ${asking.url}
  the inbox           ${base}/login
                      as ${cellist.username} with the password "${PASSWORD}"; new notes keep coming

Open the group and the conversation in private windows to be somebody else there.
`;
}
