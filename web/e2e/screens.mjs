/** Every screen that is photographed and checked: where it is, who looks at it, and what to do before
 * and after it is opened to see it. */
import { CHAT_SCREENS } from "./chatScreens.mjs";
import { enter, newRoom } from "./rooms.mjs";

const words = (name) => ({ name, exact: true });

/** Two groups this device has joined, as a page lists them. */
async function joined(page, base, path) {
  for (const name of ["midnight tacos & other plans", "Council of Owls"]) {
    await enter(page, (await newRoom(base, name)).url);
  }
  await page.goto(base + path);
  await page.getByRole("heading", words("Groups you’ve joined")).waitFor();
}

export const SCREENS = [
  { name: "landing", path: "/" },
  { name: "landing-joined", path: "/", act: (page, base) => joined(page, base, "/") },
  { name: "about", path: "/about" },
  { name: "blog", path: "/blog" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "expired", path: "/expired" },
  { name: "roomfull", path: "/roomfull" },
  { name: "roomfull-locked", path: "/roomfull?why=locked" },
  { name: "roomfull-kicked", path: "/roomfull?why=kicked" },
  { name: "error", path: "/error" },
  { name: "unexpected", path: "/no/such/page", complains: ["404", "No route matches"] },
  { name: "login", path: "/login" },
  {
    name: "login-errors",
    path: "/login",
    complains: ["401"],
    act: async (page) => {
      await page.getByLabel("Username or email").fill("nobody-here");
      await page.getByRole("textbox", words("Password")).fill("not the one");
      await page.getByRole("button", words("Sign in")).click();
      await page.getByText("Wrong username, email or password.").waitFor();
    },
  },
  { name: "signup", path: "/signup" },
  {
    name: "signup-errors",
    path: "/signup",
    act: async (page) => {
      await page.getByLabel("Username").fill("me too");
      await page.getByRole("button", words("Create account")).click();
      await page.getByText("Invalid Email Address").waitFor();
    },
  },
  { name: "reset", path: "/reset" },
  {
    name: "reset-sent",
    path: "/reset",
    act: async (page) => {
      await page.getByLabel("Email").fill("nobody@mail.example");
      await page.getByRole("button", words("Send link")).click();
      await page.getByText("If there's an account with this address").waitFor();
    },
  },
  { name: "reset-confirm", path: "/reset/not-a-token" },
  { name: "feedback", path: "/feedback" },
  {
    name: "feedback-picture",
    path: "/feedback",
    act: async (page) => {
      await page
        .getByLabel("Your feedback")
        .fill("The stickers are lovely. The gear could be larger on my phone.");
      await page.setInputFiles("input[type=file]", new URL("../public/og.png", import.meta.url).pathname);
      await page.getByAltText("The picture you chose").waitFor();
    },
  },
  { name: "note", path: "/wildfox" },
  {
    name: "note-short",
    path: "/wildfox",
    act: async (page) => {
      await page.getByLabel("Your anonymous message").fill("Hi there");
      await page.getByRole("button", words("Send it")).click();
      await page.getByText("Please Lengthen your message").waitFor();
    },
  },
  {
    name: "note-sent",
    path: "/newcomer",
    act: async (page) => {
      await page.route("**/api/annon-message", (route) =>
        route.fulfill({ status: 201, json: { status: 201, message: "" } }),
      );
      await page.getByLabel("Your anonymous message").fill("Nobody will ever know that it was me.");
      await page.getByRole("button", words("Send it")).click();
      await page.getByText("Anonymous Message Sent to newcomer").waitFor();
    },
  },
  {
    name: "nobody",
    path: "/nobody-of-that-name",
    complains: ["404"],
    act: (page) => page.getByText("Oops").waitFor(),
  },
  { name: "settings", path: "/settings", as: "person" },
  {
    name: "settings-password",
    path: "/settings",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", { name: /^Change Password/ }).click();
      await page.getByLabel("Current password").fill("correct horse");
      await page.getByRole("textbox", words("New password")).fill("battery");
      await page.getByRole("dialog").getByRole("button", words("Change Password")).click();
      await page.getByText("Password do not match").waitFor();
    },
  },
  {
    name: "settings-renew",
    path: "/settings",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", { name: /^Renew your link/ }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "settings-delete",
    path: "/settings",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", { name: /^Delete Account/ }).click();
      await page.getByLabel("Your password").waitFor();
    },
  },
  {
    name: "settings-logout",
    path: "/settings",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", { name: /^Log Out/ }).click();
      await page.getByText("Are you sure you want to logout").waitFor();
    },
  },
  { name: "home", path: "/homepage", as: "person" },
  {
    name: "home-qr",
    path: "/homepage",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", words("QR code")).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "inbox-empty",
    path: "/homepage?tab=inbox",
    as: "newcomer",
    act: (page) => page.getByText("All quiet").waitFor(),
  },
  {
    name: "inbox",
    path: "/homepage?tab=inbox",
    as: "person",
    act: (page) => page.getByRole("article").first().waitFor(),
  },
  {
    name: "inbox-delete-all",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", words("Delete all")).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "inbox-batches",
    path: "/homepage?tab=inbox",
    as: "person",
    prepare: (page) =>
      page.route("**/api/inbox", (route) => route.fulfill({ json: { status: 200, batches: true } })),
    act: (page) => page.getByText("every 15 minutes").waitFor(),
  },
  {
    name: "settings-batches",
    path: "/settings",
    as: "person",
    prepare: (page) =>
      page.route("**/api/inbox", (route) => route.fulfill({ json: { status: 200, batches: true } })),
    act: (page) => page.locator('[role="switch"][aria-checked="true"]').waitFor(),
  },
  {
    name: "inbox-delete",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Delete (?!all)/ })
        .first()
        .click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "groups-empty",
    path: "/homepage?tab=groups",
    as: "newcomer",
    act: (page) => page.getByText("Sorry, no available rooms").waitFor(),
  },
  { name: "getstarted", path: "/getstarted" },
  {
    name: "getstarted-groups",
    path: "/getstarted",
    act: (page) => page.getByRole("tab", words("Groups")).click(),
  },
  {
    name: "groups",
    path: "/homepage?tab=groups",
    as: "person",
    act: (page) => page.getByText("midnight tacos").waitFor(),
  },
  {
    name: "groups-qr",
    path: "/homepage?tab=groups",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page
        .getByRole("article")
        .first()
        .getByRole("button", { name: /^QR code/ })
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "groups-joined",
    path: "/homepage?tab=groups",
    as: "person",
    act: (page, base) => joined(page, base, "/homepage?tab=groups"),
  },
  {
    name: "groups-forget",
    path: "/homepage?tab=groups",
    as: "person",
    overlay: true,
    act: async (page, base) => {
      await joined(page, base, "/homepage?tab=groups");
      await page.getByRole("button", words("Forget Council of Owls")).last().click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "groups-delete",
    path: "/homepage?tab=groups",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page
        .getByRole("article")
        .first()
        .getByRole("button", { name: /^Delete/ })
        .click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "groups-offline",
    path: "/homepage?tab=groups",
    as: "person",
    complains: ["ERR_"],
    prepare: (page) => page.route("**/api/rooms", (route) => route.abort("internetdisconnected")),
    act: (page) => page.getByRole("button", words("Try again")).waitFor(),
  },
  {
    name: "groups-loading",
    path: "/homepage?tab=groups",
    as: "person",
    prepare: (page) => page.route("**/api/rooms", () => {}),
    act: (page) => page.getByRole("list", words("Loading your groups")).waitFor(),
  },
  { name: "newgroup", path: "/room/new", as: "person" },
  {
    name: "newgroup-named",
    path: "/room/new",
    as: "person",
    act: async (page) => {
      await page.getByLabel("Group name").fill("Council of Owls");
      await page.getByRole("radio", words("2 hours")).check();
    },
  },
  {
    name: "newgroup-refused",
    path: "/room/new",
    as: "person",
    complains: ["409"],
    act: async (page) => {
      await page.route("**/api/room/create", (route) =>
        route.fulfill({
          status: 409,
          json: {
            status: 409,
            code: "no_more_groups",
            message: "You have as many groups as one account can have. Delete one first.",
          },
        }),
      );
      await page.getByLabel("Group name").fill("Council of Owls");
      await page.getByRole("button", words("Create Group")).click();
      await page.getByText("You have as many groups").waitFor();
    },
  },
  {
    name: "newgroup-created",
    path: "/room/new",
    as: "person",
    act: async (page) => {
      // Answered here: the groups of who looks stay as they are.
      await page.route("**/api/room/create", (route) =>
        route.fulfill({
          status: 201,
          json: { status: 201, room_id: "6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a", creator: "wildfox" },
        }),
      );
      await page.getByLabel("Group name").fill("Council of Owls");
      await page.getByRole("button", words("Create Group")).click();
      await page.getByRole("link", words("Open Group")).waitFor();
    },
  },
  {
    name: "inbox-loading",
    path: "/homepage?tab=inbox",
    as: "person",
    prepare: (page) => page.route("**/api/messages*", () => {}),
    act: (page) => page.getByRole("list", words("Loading your inbox")).waitFor(),
  },
  {
    name: "inbox-offline",
    path: "/homepage?tab=inbox",
    as: "person",
    complains: ["ERR_"],
    prepare: (page) => page.route("**/api/messages*", (route) => route.abort("internetdisconnected")),
    act: (page) => page.getByRole("button", words("Try again")).waitFor(),
  },
  {
    name: "inbox-capture",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Capture as image/ })
        .nth(1)
        .click();
      await page.getByRole("dialog").waitFor();
      await page.waitForTimeout(400);
    },
  },
  {
    name: "inbox-capture-square",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Capture as image/ })
        .nth(2)
        .click();
      await page.getByRole("radio", words("Square")).check();
      await page.getByRole("radio", words("Night")).check();
      await page.waitForTimeout(400);
    },
  },
  {
    name: "inbox-read",
    path: "/homepage?tab=inbox",
    as: "person",
    act: async (page) => {
      await page.getByRole("button", { name: /^Read/ }).nth(1).click();
      await page.getByRole("button", { name: /^Read/ }).nth(1).click();
    },
  },
  ...CHAT_SCREENS,
];
