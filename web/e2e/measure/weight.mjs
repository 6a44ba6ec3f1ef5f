import { register } from "../people.mjs";
import { inHand } from "./busyRoom.mjs";
import { round } from "./numbers.mjs";

/** How long nothing more may come until a page counts as whole. */
const QUIET_MS = 1500;

/** What travels until a page is whole, for who comes for the first time: bytes of the answers, their heads included. */
export async function weight({ browser, url }) {
  const { origin } = new URL(url);
  const { username } = await register(origin, "heavyweight");
  const pages = {
    "/": `${origin}/`,
    "/login": `${origin}/login`,
    "/{username}": `${origin}/${username}`,
    group: url,
  };
  const weighed = {};
  for (const [name, page] of Object.entries(pages)) weighed[name] = await weigh(browser, page);
  return weighed;
}

async function weigh(browser, url) {
  const { context, page, finger } = await inHand(browser, 1);
  const [types, bytes] = [new Map(), new Map()];
  let requests = 0;
  await finger.send("Network.enable");
  finger.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  finger.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? "Other";
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
    requests += 1;
  });
  await page.goto(url);
  for (let seen = -1; seen !== requests; ) {
    seen = requests;
    await page.waitForTimeout(QUIET_MS);
  }
  const kilobytes = (...wanted) => {
    const found = [...bytes].filter(([type]) => wanted.length === 0 || wanted.includes(type));
    return round(found.reduce((sum, [, size]) => sum + size, 0) / 1000);
  };
  const measured = {
    requests,
    "all, kB": kilobytes(),
    "scripts, kB": kilobytes("Script"),
    "styles, kB": kilobytes("Stylesheet"),
    "fonts, kB": kilobytes("Font"),
  };
  await context.close();
  return measured;
}
