/** Browsers that can't store data, or refuse to. The app stores nothing there, and everything else works. */
import { ICON } from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const thrown = (name: string) => `() => { throw new DOMException("It can't be done.", "${name}"); }`;
const [REFUSED, FULL] = ["SecurityError", "QuotaExceededError"].map(thrown);
const gone = (name: string) => `Object.defineProperty(window, "${name}", { value: undefined });`;
const throwsWhenRead = (where: string, name: string) =>
  `Object.defineProperty(${where}, "${name}", { get: ${REFUSED}, set: ${REFUSED} });`;
const ALL_BLOCKED = `${throwsWhenRead("window", "localStorage")} ${throwsWhenRead("window", "sessionStorage")}
  IDBFactory.prototype.open = ${REFUSED};`;
const NO_DATABASE = throwsWhenRead("window", "indexedDB");

/** The ways in which a browser can fail to store data. Each is a script that runs in the page. */
const WAYS = {
  "storages that are not there": gone("localStorage") + gone("sessionStorage"),
  "storages that throw when they are used": `for (const name of ["getItem", "setItem", "removeItem", "key"])
    Storage.prototype[name] = ${REFUSED};`,
  "storages that are full": `Storage.prototype.setItem = ${FULL};`,
  "no database": gone("indexedDB"),
  "a database that throws when it is read": NO_DATABASE,
  "a database that throws when it is opened": `IDBFactory.prototype.open = ${REFUSED};`,
  "a database that fails": `IDBFactory.prototype.open = () => {
    const request = { error: new DOMException("Not in a private window.", "InvalidStateError") };
    setTimeout(() => request.onerror?.(new Event("error")));
    return request;
  };`,
  "a database that is full": `IDBObjectStore.prototype.put = ${FULL};`,
  "a database that never answers": "IDBFactory.prototype.open = () => ({});",
  "no caches and no service worker": `${gone("caches")} delete Navigator.prototype.serviceWorker;`,
  "caches and service workers that throw when they are read":
    throwsWhenRead("window", "caches") + throwsWhenRead("Navigator.prototype", "serviceWorker"),
  "cookies that throw when they are read": throwsWhenRead("Document.prototype", "cookie"),
  "cookies that are dropped": `Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} });`,
  "all site data blocked": ALL_BLOCKED,
};

for (const [name, happens] of Object.entries(WAYS)) {
  test(`with ${name}: a group works, and can be left`, async ({ page, group }) => {
    await page.addInitScript(happens);
    await page.enter(group);
    await page.sends("heard all the same");
    await page.showPictures([ICON], "seen, too");
    await expect(page.sent("seen, too")).toBeVisible();
    // The page asks for its service worker three seconds after it was loaded. That must not fail either.
    await page.waitForFunction(() => {
      const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return performance.now() > visit.loadEventEnd + 3500;
    });
    await page.leave();
  });
}

test("the page says that a group is gone, also without a database", async ({ page }) => {
  await page.addInitScript(NO_DATABASE);
  await page.goto("/room/00000000-0000-4000-8000-000000000000");
  await page.sees("Sorry, It Looks Like This Group Has Expired");
});

test("with all site data blocked: a theme, a note, and a sign-in", async ({ page, person }) => {
  await page.addInitScript(ALL_BLOCKED);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/getstarted");
  await page.button("Switch to dark mode").click();
  await expect(page.button("Switch to light mode")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");

  await page.goto(`/${person.username}`);
  await page.getByLabel("Your anonymous note").fill("This browser keeps nothing.");
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${person.username}`)).toBeVisible();

  await page.goto("/login");
  await page.signInByForm(person.username, PASSWORD);
  await page.sees("Your browser doesn’t keep site data");
  await expect(page.heading(`Hello, ${person.username}`)).toBeVisible();
  await page.tab("Groups").click();
  await page.sees("Sorry, no available rooms at the moment.");
});
