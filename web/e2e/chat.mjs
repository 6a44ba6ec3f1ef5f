/** Whole conversations: several people, each with a browser of their own, in groups on the real server. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { runnerImport } from "vite";
import { exact } from "./exact.mjs";
import { keptPictures, waitedForDays } from "./keptPictures.mjs";
import { signedIn } from "./people.mjs";
import {
  box,
  enter,
  flood,
  ICON,
  line,
  log,
  newRoom,
  PICTURE,
  said,
  say,
  showPictures,
  until,
  withPeople,
} from "./rooms.mjs";
import { startServer } from "./server.mjs";

const menuItem = (page, name) => page.getByRole("menuitem", exact(name));

/** On a server that lets one talk fast, in a group where so much was said already. */
async function inBusyGroup(browser, page, count, work) {
  const server = await startServer(process.env.ANNON_BIN, ["--sends-per-second", "0"]);
  const context = await browser.newContext();
  try {
    const { id, url } = await newRoom(server.base);
    const talker = await context.newPage();
    await flood(talker, server.base, id, count);
    await work(url, talker, server.base);
    await page.goto("about:blank");
  } finally {
    await context.close();
    await server.stop();
  }
}

async function openMenu(page, words) {
  await line(page, words)
    .first()
    .click({ button: "right", position: { x: 60, y: 12 } });
  await page.getByRole("menu").waitFor();
}

async function creatorMenu(page, item) {
  await page.getByRole("button", exact("More")).first().click();
  await menuItem(page, item).click();
}

/** Until the page would open without a network. */
async function keptByWorker(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

export const chat = {
  "chat: three people talk, with answers and pictures": async ({ browser, page, context, base }) => {
    const { host, id, url } = await newRoom(base, "a group with a long name indeed".slice(0, 30));
    await signedIn(context, base, host);
    await enter(page, url);
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "a group with a long ");
    await page.getByText(new RegExp(`^Created .* by ${host.username}$`)).waitFor();
    assert.ok(await page.evaluate((room) => localStorage.getItem(room), id));

    await withPeople(browser, url, 2, async (second, third) => {
      const all = [page, second, third];
      await say(page, "Who is still awake?");
      await say(second, "Me. <b>Obviously</b>");
      await say(third, "see https://a.example/x?y=z now");
      for (const person of all) await until("three messages", async () => (await said(person)).length === 3);
      const told = await said(page);
      for (const person of all) assert.deepEqual(await said(person), told);
      const link = line(page, "a.example").getByRole("link");
      assert.equal(await link.getAttribute("target"), "_blank");
      assert.equal(await link.getAttribute("rel"), "noopener noreferrer nofollow");

      // An answer: by the right button, with the bar filled and the quote a way back.
      await openMenu(second, "Who is still awake?");
      await menuItem(second, "Reply").click();
      await second.getByText(/^Replying to /).waitFor();
      assert.ok(await box(second).evaluate((field) => field === document.activeElement));
      await say(second, "Always");
      await second.getByText(/^Replying to [\w ]+$/).waitFor({ state: "detached" });
      const quote = line(third, "Always").getByRole("button", { name: /Reply to .*Who is still awake/ });
      await quote.click();
      await line(third, "Who is still awake?").first().and(third.locator("[data-marked]")).waitFor();

      // A picture with its caption; seen by the others, looked at, taken home.
      await showPictures(third, [PICTURE], "the card");
      for (const person of all) {
        await person.getByRole("button", { name: /^Picture by .*the card/ }).waitFor();
        await until("the full picture", () =>
          person.evaluate(() =>
            [...document.querySelectorAll("article img")].some((image) => image.naturalWidth > 500),
          ),
        );
      }
      await page.getByRole("button", { name: /^Picture by .*the card/ }).click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("dialog").getByRole("link", exact("Download")).click();
      assert.match((await downloading).suggestedFilename(), /^annon-\d+\.jpg$/);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.match(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""),
        /^Picture by /,
      );

      // Who types is seen to.
      // Slowly: it is told every two seconds at most, and the last time may have been just now.
      await box(second).pressSequentially("let me think", { delay: 250 });
      await page.getByText(/^[\w ]+ is typing$/).waitFor();
      await page.getByText(/is typing$/).waitFor({ state: "detached" });

      // Two in a row arrive in that order; the arrow keys lead from one to the next.
      await showPictures(second, [ICON, PICTURE]);
      await until(
        "three pictures",
        async () => (await page.getByRole("button", { name: /^Picture by / }).count()) === 3,
      );
      await page.getByRole("button", { name: /^Picture by .*the card/ }).click();
      const viewer = page.getByRole("dialog");
      await viewer.getByText("1 of 3").waitFor();
      await page.keyboard.press("ArrowRight");
      await viewer.getByText("2 of 3").waitFor();
      await page.keyboard.press("ArrowLeft");
      await viewer.getByText("1 of 3").waitFor();
      await page.keyboard.press("Escape");
    });
  },

  "chat: pictures by paste and by drop": async ({ browser, page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await until("the group's name", async () => (await page.title()) === "midnight tacos · Annon");
    await withPeople(browser, url, 1, async (other) => {
      const bytes = [...readFileSync(ICON)];
      const dialog = page.getByRole("dialog");
      await page.evaluate((data) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(data)], "a.png", { type: "image/png" }));
        document
          .querySelector("textarea")
          .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, bytes);
      await dialog.getByText("Send this picture?").waitFor();
      await dialog.getByRole("button", exact("Cancel")).click();
      await dialog.waitFor({ state: "detached" });

      await page.evaluate((data) => {
        const dataTransfer = new DataTransfer();
        for (const name of ["b.png", "c.png"]) {
          dataTransfer.items.add(new File([new Uint8Array(data)], name, { type: "image/png" }));
        }
        dataTransfer.items.add(new File(["no picture"], "d.txt", { type: "text/plain" }));
        for (const type of ["dragover", "drop"]) {
          document
            .querySelector("[role=log]")
            .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }
      }, bytes);
      await dialog.getByText("Send these 2 pictures?").waitFor();
      await dialog.getByLabel("Caption").fill("first".padEnd(120, "."));
      assert.equal((await dialog.getByLabel("Caption").inputValue()).length, 100);
      await dialog.getByRole("button", exact("Show picture 2")).click();
      await dialog.getByLabel("Caption").fill("second");
      await dialog.getByRole("button", exact("Send")).click();
      await other.getByRole("button", { name: /^Picture by .*first/ }).waitFor();
      await other.getByRole("button", { name: /^Picture by .*second/ }).waitFor();
      const heights = await other.evaluate(() =>
        [...document.querySelectorAll("article button img:last-of-type")].map((image) => image.clientHeight),
      );
      assert.equal(new Set(heights).size, 1);
      for (const person of [page, other]) {
        await until("nothing shines through a picture", () =>
          person.evaluate(() => {
            const blurred = [...document.querySelectorAll("article button img:not(:last-of-type)")];
            return (
              blurred.length === 2 && blurred.every((one) => getComputedStyle(one).visibility === "hidden")
            );
          }),
        );
      }
    });
  },

  "chat: pictures are taken wherever they are dropped or pasted, and what isn't is told": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    const bytes = [...readFileSync(ICON)];
    const dialog = page.getByRole("dialog");
    /** Gives whether the page took it; the browser would open the file otherwise. */
    const hand = (type, where, files) =>
      page.evaluate(
        ([type, where, files, data]) => {
          const transfer = new DataTransfer();
          for (const name of files) {
            const type = name.endsWith(".png") ? "image/png" : "text/plain";
            transfer.items.add(new File([new Uint8Array(data)], name, { type }));
          }
          const how = { bubbles: true, cancelable: true };
          const at = document.querySelector(where);
          if (type === "paste")
            return !at.dispatchEvent(new ClipboardEvent(type, { ...how, clipboardData: transfer }));
          const taken = ["dragover", "drop"].map(
            (type) => !at.dispatchEvent(new DragEvent(type, { ...how, dataTransfer: transfer })),
          );
          return taken.every(Boolean);
        },
        [type, where, files, bytes],
      );
    const cancelled = async () => {
      await dialog.getByRole("button", exact("Cancel")).click();
      await dialog.waitFor({ state: "detached" });
    };

    for (const where of ["textarea", "header", "footer", "[role=log]"]) {
      assert.ok(await hand("drop", where, ["a.png"]), where);
      await dialog.getByText("Send this picture?").waitFor();
      await cancelled();
    }
    for (const where of ["textarea", "body", "[role=log]"]) {
      assert.ok(await hand("paste", where, ["a.png"]), where);
      await dialog.getByText("Send this picture?").waitFor();
      // The caption has the focus, so that is where a second one is pasted.
      assert.ok(await hand("paste", "dialog input", ["b.png"]));
      await dialog.getByText("Send these 2 pictures?").waitFor();
      await cancelled();
    }

    // Behind any other dialog nothing is added, and nothing is left either.
    await creatorMenu(page, "Leave group");
    await page.getByRole("alertdialog").waitFor();
    for (const where of ["dialog", "header"]) assert.ok(await hand("drop", where, ["a.png"]), where);
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.waitForTimeout(300);
    assert.equal(await dialog.count(), 0);

    assert.ok(await hand("drop", "[role=log]", ["a.txt"]));
    await page.getByText("You can only send pictures here.").waitFor();
    assert.equal(await dialog.count(), 0);
    await hand(
      "drop",
      "[role=log]",
      Array.from({ length: 14 }, (_, at) => `${at}.png`),
    );
    await dialog.getByText("Send these 10 pictures?").waitFor();
    await page.getByText("You can only send 10 pictures at a time. 4 were left out.").waitFor();
  },

  "chat: a file that is no picture is left out, and the others are sent": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    const file = (name, buffer) => ({ name, mimeType: "image/png", buffer });
    const [good, bad] = [readFileSync(ICON), Buffer.from("no picture")];
    await page.setInputFiles("input[type=file]", [
      file("a.png", good),
      file("b.png", bad),
      file("c.png", good),
    ]);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("We couldn’t read that file as a picture.").waitFor();
    assert.ok(await dialog.getByRole("button", exact("Send")).isDisabled());
    await dialog.getByRole("button", exact("Remove picture")).click();
    await dialog.getByRole("img", exact("Picture 2 of 2")).waitFor();
    await page.waitForTimeout(300);
    assert.equal(await dialog.getByRole("alert").count(), 0);
    await dialog.getByRole("button", exact("Send")).click();
    await until(
      "two pictures",
      async () => (await page.getByRole("button", { name: /^Picture by / }).count()) === 2,
    );
    await until("all sent", async () => (await page.getByText("Sending").count()) === 0);
  },

  "chat: copying, and counting what is new": async ({ browser, page, context, base }) => {
    const { url } = await newRoom(base);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(page, url);
    await creatorMenu(page, "Copy invite link");
    await page.getByText("Group link copied to clipboard").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), url);
    await withPeople(browser, url, 1, async (other) => {
      for (let at = 0; at < 40; at += 1) await say(other, `line ${at} of many`);
      await line(page, "line 39 of many").waitFor();
      await openMenu(page, "line 39 of many");
      await menuItem(page, "Copy").click();
      await page.getByText("Message Copied to Clipboard").waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "line 39 of many");

      await log(page).hover();
      await page.mouse.wheel(0, -1500);
      await page.getByRole("button", exact("Jump to latest")).waitFor();
      await say(other, "down here");
      await say(other, "and here");
      const down = page.getByRole("button", exact("2 new. Jump to latest"));
      await down.waitFor();
      await until("the title", async () => (await page.title()).startsWith("(2) midnight tacos"));
      await down.click();
      await line(page, "and here").waitFor();
      await log(page).getByText("New", { exact: true }).waitFor();
      await until("the title", async () => (await page.title()).startsWith("midnight tacos"));
      await down.waitFor({ state: "detached" });
    });
  },

  "chat: the eleventh visitor finds the group full": async ({ browser, page, base }) => {
    const { id, url } = await newRoom(base);
    for (let seat = 0; seat < 9; seat += 1) {
      assert.equal((await fetch(`${base}/api/room-emoji/${id}`)).status, 200);
    }
    await withPeople(browser, url, 1, async () => {
      await page.goto(url);
      await page.waitForURL("**/roomfull");
      await page.getByText("Sorry, It Looks Like This Group Is Full Already").waitFor();
    });
  },

  "chat: a group that isn't there": async ({ page, base }) => {
    const id = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
    await page.goto(base);
    await page.evaluate((room) => localStorage.setItem(room, "🦊"), id);
    await page.goto(`${base}/room/${id}`);
    await page.waitForURL("**/expired");
    await page.getByText("Sorry, It Looks Like This Group Has Expired").waitFor();
    assert.equal(await page.evaluate((room) => localStorage.getItem(room), id), null);
  },

  "chat: the server is killed in mid-conversation and comes back": async ({
    browser,
    page,
    server,
    base,
  }) => {
    const { url } = await newRoom(base);
    // As high as the whole conversation: what is scrolled out of sight isn't in the page.
    const viewport = { width: 390, height: 4000 };
    await page.setViewportSize(viewport);
    await enter(page, url);
    const talk = async (second, third) => {
      const all = [page, second, third];
      const wanted = [];
      for (let round = 0; round < 12; round += 1) {
        for (const [who, person] of all.entries()) {
          wanted.push(`${who} says ${round}`);
          await say(person, `${who} says ${round}`);
        }
        if (round === 4) await server.kill();
        if (round === 8) await server.restart();
      }
      for (const person of all) {
        await until("every message", async () => (await said(person)).length >= wanted.length, 40_000);
        await until(
          "all of them sent",
          async () => (await person.getByText("Sending").count()) === 0,
          30_000,
        );
      }
      const told = await said(page);
      assert.deepEqual([...told].sort(), [...wanted].sort());
      for (const person of all) assert.deepEqual(await said(person), told);
      for (const who of [0, 1, 2]) {
        const own = told.filter((words) => words.startsWith(`${who} `));
        assert.deepEqual(
          own,
          wanted.filter((words) => words.startsWith(`${who} `)),
        );
      }
    };
    await withPeople(browser, url, 2, talk, { viewport });
  },

  "chat: the network is cut and comes back": async ({ browser, page, context, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await say(page, "before");
      await line(other, "before").waitFor();
      await context.setOffline(true);
      await page.getByText("You’re offline. What you write will be sent when you’re back online.").waitFor();
      await say(page, "in the tunnel");
      await say(page, "still in it");
      await say(other, "where are you?");
      assert.equal(await page.getByText("Sending").count(), 2);
      await context.setOffline(false);
      await page.getByText("You’re back online. You didn’t miss anything.").waitFor();
      for (const person of [page, other]) {
        await until("four messages", async () => (await said(person)).length === 4);
        await line(person, "still in it").waitFor();
      }
      assert.deepEqual(await said(page), await said(other));
      await page.getByText("You’re back online.").waitFor({ state: "detached" });
    });
  },

  "chat: what was typed and what wasn't sent live through a reload": async ({
    browser,
    page,
    server,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "first");
    // Nothing in front of the server serves its pages when it is dead: then the page's own worker has to.
    if (server.servesPages) await keptByWorker(page);
    await withPeople(browser, url, 1, async (other) => {
      await line(other, "first").waitFor();
      await server.kill();
      await say(page, "said to nobody");
      await box(page).fill("half a sent");
      await page.reload();
      await page.getByText("Can’t reach the group").waitFor();
      // The device has its network, and nobody has to tap.
      assert.equal(await page.getByText("You’re offline").count(), 0);
      await server.restart();
      await box(page).waitFor();
      assert.equal(await box(page).inputValue(), "half a sent");
      await line(other, "said to nobody").waitFor();
      for (const person of [page, other]) {
        await until("two messages", async () => (await said(person)).length === 2);
        assert.deepEqual(await said(person), ["first", "said to nobody"]);
      }
    });
  },

  "chat: a picture chosen without a network lives through a reload": async ({
    browser,
    page,
    context,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await keptByWorker(page);
    await withPeople(browser, url, 1, async (other) => {
      await say(other, "show us");
      await line(page, "show us").waitFor();
      await context.setOffline(true);
      await openMenu(page, "show us");
      await menuItem(page, "Reply").click();
      await showPictures(page, [PICTURE], "the card");
      await line(page, "the card").getByText("Sending").waitFor();
      // It waits, as the words do; nothing has failed.
      await page.waitForTimeout(300);
      assert.equal(await page.getByRole("button", exact("Retry")).count(), 0);
      await page.reload();
      await page.getByText("Can’t reach the group").waitFor();
      await waitedForDays(page);
      // It tries again by itself, and nobody has to tap.
      await context.setOffline(false);
      for (const person of [page, other]) {
        const shown = person.getByRole("button", { name: /^Picture by .*the card/ });
        await shown.waitFor();
        await until(
          "it is sent",
          async () => (await person.getByRole("button", exact("Retry")).count()) === 0,
        );
        await until("the full picture", () =>
          person.evaluate(() =>
            [...document.querySelectorAll("article img")].some((image) => image.naturalWidth > 500),
          ),
        );
      }
      await until("nothing is kept of it", async () => (await keptPictures(page)) === 0);
      for (const person of [page, other]) {
        await person.reload();
        await line(person, "the card").waitFor();
        assert.equal(await person.getByRole("button", { name: /^Picture by / }).count(), 1);
        await line(person, "the card")
          .getByRole("button", { name: /Reply to .*show us/ })
          .waitFor();
      }
    });
  },

  "chat: a picture that the server has no more is uploaded anew": async ({ browser, page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      // As if both had been taken in, and forgotten while the message couldn't be sent.
      const forgotten = `/api/room/${id}/image/6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11`;
      let uploads = 0;
      await page.route("**/api/room/upload-image", (route) => {
        uploads += 1;
        return uploads <= 2
          ? route.fulfill({ status: 201, json: { status: 201, message: forgotten } })
          : route.continue();
      });
      await showPictures(page, [PICTURE], "the card");
      await other.getByRole("button", { name: /^Picture by .*the card/ }).waitFor();
      assert.equal(uploads, 4);
      await until("nothing is kept of it", async () => (await keptPictures(page)) === 0);
      assert.equal(await page.getByRole("button", exact("Retry")).count(), 0);
    });
  },

  "chat: the message box grows to six rows": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    const field = box(page);
    const rows = (count) => Array.from({ length: count }, (_, at) => `row ${at}`).join("\n");
    const size = () =>
      field.evaluate(({ offsetHeight, clientHeight, clientTop }) => {
        const below = offsetHeight - clientHeight - clientTop;
        return { rows: clientHeight / 24, above: clientTop, below };
      });
    for (const [count, shown] of [
      [0, 1],
      [1, 1],
      [2, 2],
      [6, 6],
      [10, 6],
    ]) {
      await field.fill(rows(count));
      assert.deepEqual(await size(), { rows: shown, above: 10, below: 10 });
    }
    // The last six of ten. A cursor is a little lower than its row, and that much may be missing below it.
    const hidden = await field.evaluate(({ scrollTop }) => scrollTop);
    assert.ok(Math.abs(hidden - 4 * 24) <= 2, `${hidden} px are scrolled away`);
  },

  "chat: the creator locks, removes and deletes": async ({ browser, page, context, base }) => {
    const { host, url } = await newRoom(base);
    await signedIn(context, base, host);
    await enter(page, url);
    await withPeople(browser, url, 2, async (second, third) => {
      await creatorMenu(page, "Lock group");
      await page.getByRole("alertdialog").getByRole("button", exact("Lock")).click();
      await log(second).getByText("The group is locked: no one else can join").waitFor();
      const late = await browser.newContext({ locale: "en-GB" });
      const latePage = await late.newPage();
      await latePage.goto(url);
      await latePage.waitForURL("**/roomfull?why=locked");
      await latePage.getByRole("heading", exact("This group is locked")).waitFor();
      await until("the title", async () => (await latePage.title()) === "Group locked · Annon");
      await late.close();
      await creatorMenu(page, "Unlock group");
      await log(second).getByText("The group is unlocked").waitFor();

      await say(second, "not that");
      await openMenu(third, "not that");
      assert.equal(await menuItem(third, "Remove for everyone").count(), 0);
      await third.keyboard.press("Escape");
      await openMenu(page, "not that");
      await menuItem(page, "Remove for everyone").click();
      for (const person of [page, second, third]) await line(person, "Message removed").waitFor();

      await say(third, "you can't stop me");
      await line(second, "you can't stop me").waitFor();
      await page.getByRole("button", { name: /here now/ }).click();
      const list = page.getByRole("region", exact("Who’s here"));
      assert.equal(await list.getByRole("listitem").count(), 3);
      // The third to come is the last of the three.
      await list
        .getByRole("button", { name: /: more$/ })
        .last()
        .click();
      await page.getByRole("menuitem", { name: /^Remove / }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("checkbox").check();
      await dialog.getByRole("button", exact("Remove")).click();
      await third.getByText("You were removed from this group").waitFor();
      await until("two seats", async () => (await list.getByRole("listitem").count()) === 2);
      for (const person of [page, second]) {
        await log(person)
          .getByText(/was removed$/)
          .waitFor();
        await until("both are gone", async () => (await line(person, "Message removed").count()) === 2);
        assert.equal(await line(person, "you can't stop me").count(), 0);
      }
      await third.goto(url);
      await third.waitForURL("**/roomfull?why=kicked");
      await third.getByRole("heading", exact("You were removed from this group")).waitFor();
      await until("the title", async () => (await third.title()) === "Removed from the group · Annon");

      await creatorMenu(page, "Delete group");
      await page.getByRole("alertdialog").getByRole("button", exact("Delete")).click();
      await page.waitForURL("**/homepage?tab=groups");
      await page.getByText("Group deleted").waitFor();
      await second.waitForURL("**/expired");
      await second.getByText("Sorry, It Looks Like This Group Has Expired").waitFor();
    });
  },

  "chat: leaving gives the seat back": async ({ browser, page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await creatorMenu(other, "Leave group");
      await other.getByRole("alertdialog").getByRole("button", exact("Leave")).click();
      await other.getByText("You left the group").waitFor();
      await other.reload();
      await other.getByText("You left the group").waitFor();
      assert.equal(await other.evaluate((room) => localStorage.getItem(room), id), null);
      await log(page).getByText(/left$/).waitFor();
      assert.equal(await page.getByRole("button", { name: /^1 of 1 here now/ }).count(), 1);
    });
  },

  "chat: a message is taken back, and so are its quotes": async ({ browser, page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await say(page, "I didn't mean that");
      await openMenu(other, "I didn't mean that");
      assert.equal(await menuItem(other, "Unsend").count(), 0);
      await menuItem(other, "Reply").click();
      await say(other, "What?");
      await line(page, "What?").waitFor();
      await openMenu(page, "I didn't mean that");
      await menuItem(page, "Unsend").click();
      for (const person of [page, other]) {
        await until(
          "nothing of it is left",
          async () => !(await log(person).textContent()).includes("mean that"),
        );
        await until(
          "both say so",
          async () => (await log(person).getByText("Message removed").count()) === 2,
        );
      }
      await other.reload();
      await line(other, "What?").waitFor();
      assert.ok(!(await log(other).textContent()).includes("mean that"));
    });
  },

  "chat: what is taken back is nowhere any more, whatever is open": async ({ browser, page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      const takeBack = async (words) => {
        await openMenu(page, words);
        await menuItem(page, "Unsend").click();
      };
      const isGone = () => other.evaluate(() => !document.body.textContent.includes("mean that"));
      await say(page, "I didn't mean that");
      await openMenu(other, "I didn't mean that");
      await menuItem(other, "Reply").click();
      await box(other).fill("What?");
      await other.locator("[aria-live] p", { hasText: "mean that" }).first().waitFor({ state: "attached" });
      await takeBack("I didn't mean that");
      await until("nothing of it is left", isGone);
      const kept = await other.evaluate((room) => localStorage.getItem(`annon.draft.${room}`), id);
      assert.deepEqual(Object.keys(JSON.parse(kept)), ["words", "replyTo"]);
      assert.equal(typeof JSON.parse(kept).replyTo, "number");
      await other.reload();
      await box(other).waitFor();
      assert.ok(await isGone());

      await say(page, "nor did I mean that");
      await openMenu(other, "nor did I mean that");
      await takeBack("nor did I mean that");
      await other.getByRole("menu").waitFor({ state: "detached" });

      await showPictures(page, [ICON], "a picture of that");
      await other.getByRole("button", { name: /a picture of that/ }).click();
      await other.getByRole("dialog").getByText("a picture of that").first().waitFor();
      await takeBack("a picture of that");
      await other.getByRole("dialog").waitFor({ state: "detached" });
      assert.equal(await other.evaluate(() => document.activeElement?.id), "main");
    });
  },

  "chat: nothing in the header covers anything else, in the longer language": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base, "eine Gruppe mit langem Namen");
    await enter(page, url);
    const german = await browser.newContext({ locale: "de-DE" });
    try {
      await withPeople(browser, url, 1, async () => {
        const narrow = await german.newPage();
        await narrow.setViewportSize({ width: 360, height: 568 });
        await narrow.goto(url);
        await narrow.getByRole("button", { name: /^3 von 3/ }).waitFor();
        for (const width of [320, 360]) {
          await narrow.setViewportSize({ width, height: 568 });
          const left = narrow.getByText(/^noch 23 h 5\d min$/);
          const [name, time, members] = await Promise.all(
            [narrow.getByRole("heading"), left, narrow.getByRole("button", { name: /^3 von 3/ })].map(
              (found) => found.boundingBox(),
            ),
          );
          assert.ok(name.x + name.width <= members.x, `the name is covered at ${width} px`);
          assert.ok(time.x + time.width <= members.x, `the time is covered at ${width} px`);
          const hidden = await left.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
          assert.ok(hidden <= 0, `${hidden} px of the time are cut at ${width} px`);
        }
      });
    } finally {
      await german.close();
    }
  },

  "chat: a long name is shown as far as it is to be, with the dots of the type around it": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base, "Wunderbare Nachtmenschen hier");
    await enter(page, url);
    const name = page.getByRole("heading", { level: 1 });
    assert.equal(await name.textContent(), "Wunderbare Nachtmens");
    for (const width of [320, 360, 390, 430, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const hidden = await name.evaluate((heading) => ({
        across: heading.scrollWidth - heading.clientWidth,
        down: heading.scrollHeight - heading.clientHeight,
      }));
      assert.ok(hidden.across <= 0 && hidden.down <= 1, `${JSON.stringify(hidden)} at ${width} px`);
    }
  },

  "chat: in the list of members no name is cut, nor broken, in the longer language": async ({
    browser,
    base,
  }) => {
    const { id, url } = await newRoom(base);
    for (let seat = 0; seat < 9; seat += 1) await fetch(`${base}/api/room-emoji/${id}`);
    const german = await browser.newContext({ locale: "de-DE" });
    try {
      const page = await german.newPage();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(url);
      await page.locator("[aria-controls=members]").click();
      const list = page.getByRole("region", exact("Wer ist da?"));
      await list.waitFor();
      for (const width of [320, 360, 390, 430, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        const faults = await list.evaluate(
          (panel, names) => {
            const found = [];
            const [first] = panel.querySelectorAll("li");
            const [, label] = first.querySelectorAll("span");
            for (const name of names) {
              label.textContent = `${name} (du)`;
              const word = document.createRange();
              word.setStart(label.firstChild, 0);
              word.setEnd(label.firstChild, name.length);
              if (word.getClientRects().length > 1) found.push(`${name} is broken`);
            }
            // Also the last of a row, with the longest name.
            for (const { children } of panel.querySelectorAll("li")) {
              if (children[1]) children[1].textContent = names[0];
              for (const part of children)
                if (part.getBoundingClientRect().right > innerWidth) found.push("something sticks out");
            }
            return found;
          },
          ["Sonnenblume", "Schildkröte", "Marienkäfer", "Regenbogen", "Basketball"],
        );
        assert.deepEqual(faults, [], `at ${width} px`);
      }
    } finally {
      await german.close();
    }
  },

  "chat: a group whose time is up": async ({ page, base }) => {
    const { id, url } = await newRoom(base);
    await page.clock.install();
    await enter(page, url);
    // All of it is left when somebody enters within the second.
    await page.getByText(/^(24h 0m|23h 5\dm) left$/).waitFor();
    await page.clock.fastForward("23:55:00");
    await page
      .getByText("This group deletes itself in less than 5 minutes, with everything that was said.")
      .waitFor();
    await page.getByText(/^4:\d\d left$/).waitFor();
    await page.clock.fastForward("05:10");
    await page.waitForURL("**/expired");
    assert.equal(await page.evaluate((room) => localStorage.getItem(room), id), null);
  },

  "chat: older messages come in above, and the place is kept": async ({ browser, page }) => {
    await inBusyGroup(browser, page, 900, async (url) => {
      await enter(page, url);
      await line(page, " 899").waitFor();
      for (let load = 0; load < 3; load += 1) {
        const kept = await log(page).evaluate(async (list) => {
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          const height = list.scrollHeight;
          // The first half of the first screen, where the next page is asked for.
          list.scrollTop = 700;
          await frame();
          await frame();
          const middle = list.getBoundingClientRect().top + list.clientHeight / 2;
          const anchor = [...list.querySelectorAll("[data-row]")].find(
            (row) => row.getBoundingClientRect().bottom > middle,
          );
          const at = anchor.getBoundingClientRect().top;
          let moved = 0;
          let settled = 0;
          while (settled < 30) {
            await frame();
            moved = Math.max(moved, Math.abs(anchor.getBoundingClientRect().top - at));
            if (!anchor.isConnected) return { moved: "out of the page" };
            settled = list.scrollHeight > height + 2000 ? settled + 1 : 0;
          }
          return { moved };
        });
        assert.ok(kept.moved <= 2, `a line moved by ${kept.moved} px`);
      }
      // From the first line to the last one.
      await until("the beginning", () =>
        log(page).evaluate((list) => {
          list.scrollTop = 0;
          return list.querySelector("time") !== null;
        }),
      );
      await page.getByRole("button", exact("Jump to latest")).click();
      await line(page, " 899").waitFor();
      await until("the end", () =>
        log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop < 2),
      );
    });
  },

  "chat: one can write while twenty messages a second come in": async ({ browser, page }) => {
    await inBusyGroup(browser, page, 300, async (url, talker) => {
      await enter(page, url);
      await line(page, " 299").waitFor();
      await talker.evaluate(() => {
        setInterval(window.sayOne, 50);
      });
      await box(page).focus();
      // How long a key waits for its letter is measured elsewhere: `make measure`.
      for (let key = 0; key < 60; key += 1) {
        await page.keyboard.press("abcdefgh"[key % 8]);
        await page.waitForTimeout(70);
      }
      assert.equal(await box(page).inputValue(), "abcdefgh".repeat(8).slice(0, 60));
      // And the newest line stays in view.
      await until("the end", () =>
        log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop < 2),
      );
    });
  },

  "chat: hostile words break nothing": async ({ browser, page }) => {
    const { CORPUS } = (
      await runnerImport(new URL("../src/features/chat/testing/corpus.ts", import.meta.url).pathname)
    ).module;
    await inBusyGroup(browser, page, 1, async (url, talker, base) => {
      const strange = [];
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== base) strange.push(request.url());
      });
      page.on("dialog", (dialog) => strange.push(dialog.message()));
      await page.setViewportSize({ width: 320, height: 640 });
      await enter(page, url);
      for (const words of CORPUS) await talker.evaluate((text) => window.sayOne(text), words);
      await talker.evaluate(() => window.sayOne("and that was all"));
      await line(page, "and that was all").waitFor();
      // Every line is looked at on its way up: each in its own box, none wider than the screen.
      const faults = await log(page).evaluate(async (list) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const found = new Set();
        for (list.scrollTop = 1e9; list.scrollTop > 0; list.scrollTop -= 200) {
          await frame();
          if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
            found.add("the page is wider");
          if (list.scrollWidth > list.clientWidth) found.add("the list is wider");
          const rows = [...list.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
          for (const { left, right } of rows)
            if (left < 0 || right > innerWidth + 1) found.add("a line sticks out");
          for (const element of list.querySelectorAll("article [data-emoji] *")) {
            if (element.tagName !== "A") found.add(element.outerHTML);
          }
          for (const words of list.querySelectorAll("article [data-emoji]")) {
            if (getComputedStyle(words.parentElement).overflow !== "clip") found.add("nothing is clipped");
          }
        }
        return [...found];
      });
      assert.deepEqual(faults, []);
      assert.deepEqual(strange, []);
    });
  },

  "chat: by keyboard alone": async ({ browser, page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await say(other, "one");
      await say(other, "two");
      await showPictures(other, [ICON], "three");
      await page.getByRole("button", { name: /three/ }).waitFor();
      await box(page).focus();
      await page.keyboard.type("four");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("and a half");
      await page.keyboard.press("Enter");
      await line(page, "four").waitFor();
      assert.equal(await box(page).inputValue(), "");
      assert.ok((await said(page)).includes("four\nand a half"));

      await log(page).focus();
      for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /two/);
      await page.keyboard.press("Enter");
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /two/);
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText(/^Replying to /).waitFor();
      await page.keyboard.type("five");
      await page.keyboard.press("Enter");
      await line(page, "five").getByRole("button", { name: /two/ }).waitFor();

      await page.getByRole("button", { name: /three/ }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.match(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""),
        /three/,
      );

      const members = page.getByRole("button", { name: /here now/ });
      await members.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("region", exact("Who’s here")).getByRole("button", exact("Close list")).focus();
      await page.keyboard.press("Escape");
      assert.equal(await members.getAttribute("aria-expanded"), "false");
      assert.ok(await members.evaluate((button) => button === document.activeElement));
    });
  },

  "chat: with a finger, on a phone": async ({ browser, base }) => {
    const { url } = await newRoom(base);
    await withPeople(
      browser,
      url,
      2,
      async (page, other) => {
        await page.evaluate(() => {
          window.shaken = [];
          navigator.vibrate = (pattern) => window.shaken.push(pattern);
        });
        await say(other, "swipe me");
        await line(page, "swipe me").waitFor();
        const finger = await page.context().newCDPSession(page);
        const place = await line(page, "swipe me").boundingBox();
        const [x, y] = [place.x + 90, place.y + place.height / 2];
        await drag(finger, [x, y], [x + 15, y], [x + 45, y + 2], [x + 90, y + 3], [x + 90, y + 3]);
        await page.getByText(/^Replying to /).waitFor();
        assert.deepEqual(await page.evaluate(() => window.shaken), [50]);
        await page.getByRole("button", exact("Cancel reply")).tap();
        await page.getByText(/^Replying to /).waitFor({ state: "detached" });

        // Up and down is scrolling, whatever it does sideways.
        await drag(finger, [x, y], [x + 5, y - 30], [x + 60, y - 90], [x + 60, y - 90]);
        await page.waitForTimeout(200);
        assert.equal(await page.getByText(/^Replying to /).count(), 0);

        await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
        await page.getByRole("menu").waitFor();
        await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        await page.waitForTimeout(200);
        await menuItem(page, "Reply").tap();
        await page.getByText(/^Replying to /).waitFor();

        // Enter is a new line here; the button sends, and the keyboard stays.
        await box(page).tap();
        await page.keyboard.type("a");
        await page.keyboard.press("Enter");
        await page.keyboard.type("b");
        assert.equal(await box(page).inputValue(), "a\nb");
        await page.getByRole("button", exact("Send")).tap();
        await line(other, "b").waitFor();
        assert.ok(await box(page).evaluate((field) => field === document.activeElement));
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        assert.equal(scrollWidth, clientWidth);
      },
      { hasTouch: true, isMobile: true },
    );
  },
};

/** The finger rests before it lets go: otherwise it is a fling, and the next tap would only stop that. */
async function drag(finger, [fromX, fromY], ...way) {
  const touch = (type, touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: fromX, y: fromY }]);
  for (const [x, y] of way) {
    await touch("touchMove", [{ x, y }]);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await touch("touchEnd", []);
}
