/** A browser that blocks site data: even a look at a storage throws. Nothing is kept then, and everything works. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { PASSWORD, register, signedIn } from "./people.mjs";
import { enter, ICON, line, newRoom, say, showPictures } from "./rooms.mjs";

function block() {
  const refused = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get: refused });
  IDBFactory.prototype.open = refused;
}

/** The ways in which a browser can fail to keep something. They run in the page. */
const WAYS = {
  "storages that are not there": () => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { value: undefined });
    }
  },
  "storages that throw when they are used": () => {
    for (const method of ["getItem", "setItem", "removeItem", "key"]) {
      Storage.prototype[method] = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
    }
  },
  "storages that are full": () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("Quota exceeded.", "QuotaExceededError");
    };
  },
  "no database": () => Object.defineProperty(window, "indexedDB", { value: undefined }),
  "a database that throws when it is looked at": () => {
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(window, "indexedDB", { get });
  },
  "a database that throws when it is opened": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Not in a private window.", "InvalidStateError");
    };
  },
  "a database that fails": () => {
    IDBFactory.prototype.open = () => {
      const request = { error: new DOMException("Not in a private window.", "InvalidStateError") };
      setTimeout(() => request.onerror?.(new Event("error")));
      return request;
    };
  },
  "a database that is full": () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("Quota exceeded.", "QuotaExceededError");
    };
  },
  "a database that never answers": () => {
    IDBFactory.prototype.open = () => ({});
  },
  "no caches and no service worker": () => {
    Object.defineProperty(window, "caches", { value: undefined });
    delete Navigator.prototype.serviceWorker;
  },
  "caches and service workers that throw when they are looked at": () => {
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(window, "caches", { get });
    Object.defineProperty(Navigator.prototype, "serviceWorker", { get });
  },
  "cookies that throw when they are looked at": () => {
    const refused = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(Document.prototype, "cookie", { get: refused, set: refused });
  },
  "cookies that are dropped": () => {
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} });
  },
};

async function talks(page, base, happens) {
  const { url } = await newRoom(base);
  await page.addInitScript(happens);
  await enter(page, url);
  await say(page, "heard all the same");
  await line(page, "heard all the same").getByTitle("Sent", { exact: true }).waitFor();
  await showPictures(page, [ICON], "seen, too");
  await line(page, "seen, too").getByTitle("Sent", { exact: true }).waitFor();
  // The service worker is asked for three seconds after the start.
  await page.waitForTimeout(3500);
}

const talking = Object.fromEntries(
  Object.entries(WAYS).map(([name, happens]) => [
    `with ${name}: a group talks`,
    ({ page, base }) => talks(page, base, happens),
  ]),
);

export const blockedStorage = {
  ...talking,

  "a group that is gone is said to be gone, also without a database": async ({ page, base }) => {
    await page.addInitScript(WAYS["a database that throws when it is looked at"]);
    await page.goto(`${base}/room/00000000-0000-4000-8000-000000000000`);
    await page.getByText("Sorry, It Looks Like This Group Has Expired").waitFor();
  },

  "what was written to somebody is there after a reload, and gone once it is sent": async ({
    page,
    base,
  }) => {
    const { username } = await register(base, "keeps-a-draft");
    const words = page.getByLabel("Your anonymous message");
    await page.goto(`${base}/${username}`);
    await words.fill("A reload takes nothing away.");
    await page.reload();
    await page.getByRole("button", exact("Send it")).waitFor();
    assert.equal(await words.inputValue(), "A reload takes nothing away.");
    await page.getByRole("button", exact("Send it")).click();
    await page.getByRole("heading", exact(`Anonymous Message Sent to ${username}`)).waitFor();
    await page.goto(`${base}/${username}`);
    await page.getByRole("button", exact("Send it")).waitFor();
    assert.equal(await words.inputValue(), "");
  },

  "a sign-in that another host of the domain planted is none, once one has signed in here": async ({
    page,
    context,
    base,
  }) => {
    const own = await register(base, "signs-in-here");
    await page.goto(`${base}/login`);
    await page.getByLabel("Username or email").fill(own.username);
    await page.getByRole("textbox", exact("Password")).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByRole("heading", exact(`Hello, ${own.username}`)).waitFor();
    await context.clearCookies();
    await signedIn(context, base, await register(base, "plants-cookies"));
    await page.goto(`${base}/homepage`);
    await page.waitForURL(`${base}/login`);
  },

  "with site data blocked: the first page, and its theme": async ({ page, base }) => {
    await page.addInitScript(block);
    await page.goto(base);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto(`${base}/getstarted`);
    await page.getByRole("button", exact("Switch to dark mode")).click();
    await page.getByRole("button", exact("Switch to light mode")).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  },

  "with site data blocked: a note is sent": async ({ page, base }) => {
    const { username } = await register(base, "keeps-nothing");
    await page.addInitScript(block);
    await page.goto(`${base}/${username}`);
    await page.getByLabel("Your anonymous message").fill("This browser keeps nothing.");
    await page.getByRole("button", exact("Send it")).click();
    await page.getByRole("heading", exact(`Anonymous Message Sent to ${username}`)).waitFor();
  },

  "with site data blocked: sign in, and look around": async ({ page, base }) => {
    const { username } = await register(base, "blocks-all");
    await page.addInitScript(block);
    await page.goto(`${base}/login`);
    await page.getByLabel("Username or email").fill(username);
    await page.getByRole("textbox", exact("Password")).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByRole("heading", exact(`Hello, ${username}`)).waitFor();
    await page.getByRole("tab", exact("Groups")).click();
    await page.getByText("Sorry, no available rooms at the moment.").waitFor();
  },

  "with site data blocked: words and a picture in a group, and out of it": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await page.addInitScript(block);
    await enter(page, url);
    await say(page, "nothing stays here");
    await line(page, "nothing stays here").getByTitle("Sent", { exact: true }).waitFor();
    await showPictures(page, [ICON], "not this either");
    await line(page, "not this either").getByTitle("Sent", { exact: true }).waitFor();
    await page.getByRole("button", exact("More")).first().click();
    await page.getByRole("menuitem", exact("Leave group")).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Leave")).click();
    await page.getByText("You left the group").waitFor();
  },
};
