/** Measures how much later the first message of a sealed group is shown, and how long sealing one takes: `npm run measure -- -g seal`. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createGroup, signedIn } from "../support/people.ts";
import { BINARY } from "../support/server.ts";
import { test } from "../support/test.ts";

const MESSAGES = 200;
const TURNS = 7;
/** The phone has a quarter of this machine's processor. */
const SLOWER = 4;

declare global {
  interface Window {
    firstShown?: number;
    /** How long it took to seal each message: from the begin of its signature to the end of its encryption. */
    sealing?: number[];
  }
}

test("opening a sealed group and an open one, in turns", async ({ page, server, person, visitor }) => {
  await signedIn(page.context(), person);
  const sealed = await page.makeSealed("a sealed one");
  const { url: open } = await createGroup(person, "an open one");
  const links = { open: new URL(open, server.base).href, sealed };
  for (const link of Object.values(links)) {
    const { pathname, hash } = new URL(link);
    const room = pathname.split("/")[2] + hash;
    const terminal = spawn(join(dirname(BINARY), "annon-bench"), [
      "chat",
      "--url",
      server.base,
      "--room",
      room,
    ]);
    for (let n = 1; n <= MESSAGES; n += 1) {
      terminal.stdin.write(`message number ${n}, of the length that people write\n`);
      // The server takes ten a second of one seat.
      await page.waitForTimeout(110);
    }
    terminal.stdin.end();
    await new Promise((done) => terminal.on("close", done));
  }

  const times: Record<string, number[]> = { open: [], sealed: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [kind, link] of Object.entries(links)) {
      const phone = await visitor({ viewport: { width: 390, height: 844 } });
      const client = await phone.context().newCDPSession(phone);
      await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      await phone.addInitScript(() => {
        new MutationObserver(() => {
          if (document.querySelector("[role=log] article")) window.firstShown ??= performance.now();
        }).observe(document, { childList: true, subtree: true });
      });
      await phone.goto(link);
      await phone.line(`message number ${MESSAGES},`).waitFor();
      times[kind]?.push(await phone.evaluate(() => window.firstShown ?? 0));
      await phone.context().close();
    }
  }
  for (const [kind, all] of Object.entries(times)) {
    const sorted = all.toSorted((one, other) => one - other).map(Math.round);
    console.log(`${kind}: the first message after ${sorted[TURNS >> 1]} ms (${sorted.join(", ")})`);
  }
});

/** How many messages are sent for one figure. */
const SEALED = 40;

test("sealing one message", async ({ page, person }) => {
  await signedIn(page.context(), person);
  const link = await page.makeSealed("a sealed one");
  await page.addInitScript(() => {
    const { sign, encrypt } = SubtleCrypto.prototype;
    let begun = 0;
    window.sealing = [];
    SubtleCrypto.prototype.sign = function (...given: Parameters<SubtleCrypto["sign"]>) {
      begun = performance.now();
      return sign.apply(this, given);
    };
    SubtleCrypto.prototype.encrypt = async function (...given: Parameters<SubtleCrypto["encrypt"]>) {
      const sealed = await encrypt.apply(this, given);
      // What the device keeps is encrypted, too, and not signed.
      if (begun > 0) window.sealing?.push(performance.now() - begun);
      begun = 0;
      return sealed;
    };
  });
  await page.goto(link);
  await page.canTalk();
  const client = await page.context().newCDPSession(page);
  for (const rate of [1, SLOWER]) {
    await client.send("Emulation.setCPUThrottlingRate", { rate });
    await page.evaluate(() => window.sealing?.splice(0));
    for (let n = 1; n <= SEALED; n += 1)
      await page.sends(`words of the usual length, and a number: ${n} at ${rate}.`);
    const all = (await page.evaluate(() => window.sealing ?? [])).toSorted((one, other) => one - other);
    const at = (part: number) => (all[Math.floor((all.length - 1) * part)] ?? Number.NaN).toFixed(2);
    console.log(
      `sealing, ${rate} times slower: ${at(0.5)} ms, one of a hundred ${at(0.99)} ms (${all.length} messages)`,
    );
  }
});
