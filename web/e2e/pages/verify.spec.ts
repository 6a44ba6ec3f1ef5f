/** The page that looks at the app's own code. */
import { execFileSync } from "node:child_process";
import { BINARY } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

test("the page finds the files that the program names, and says which one was changed", async ({
  page,
  visitor,
}) => {
  const printed = execFileSync(BINARY, ["web-hash"], { encoding: "utf8" });
  const digest = /^([0-9a-f]{64}) {2}of all these lines$/m.exec(printed)?.[1] ?? "";
  expect(digest).not.toBe("");
  await page.goto("/verify");
  await page.button("Check").click();
  await page.sees(/^All \d+ files are as this site says/);
  await page.sees(digest.match(/.{8}/g)?.join(" ") ?? "");
  const field = page.getByLabel("Paste the number");
  await field.fill(`The app: ${digest}`);
  await page.sees("It’s the number you pasted");
  await field.fill(digest.replace(/^./, (sign) => (sign === "0" ? "1" : "0")));
  await page.sees("That’s another number");

  // A file is changed on its way, as a server for some of its visitors could.
  // A service worker would ask in the page's place, where this test doesn't see it.
  const victim = await visitor({ serviceWorkers: "block" });
  await victim.goto("/verify");
  await victim.route("**/assets/openSealed-*.js", (route) =>
    route.fulfill({ body: "/* changed */", contentType: "text/javascript" }),
  );
  await victim.button("Check").click();
  await victim.sees("aren’t what this site says they are");
  await expect(victim.getByText(/^assets\/openSealed-.*\.js$/)).toBeVisible();
  await victim.getByLabel("Paste the number").fill(digest);
  await victim.sees("That’s another number");
});
