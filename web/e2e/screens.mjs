/** Every screen that is photographed and checked: where it is, who looks at it, and what to do to see it. */
const words = (name) => ({ name, exact: true });

export const SCREENS = [
  { name: "landing", path: "/" },
  { name: "about", path: "/about" },
  { name: "blog", path: "/blog" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "expired", path: "/expired" },
  { name: "roomfull", path: "/roomfull" },
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
      await page.getByRole("button", words("Send the link")).click();
      await page.getByText("If an account has this address").waitFor();
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
    name: "inbox-delete",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", words("Delete")).first().click();
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
    name: "inbox-capture",
    path: "/homepage?tab=inbox",
    as: "person",
    overlay: true,
    act: async (page) => {
      await page.getByRole("button", words("Capture as image")).nth(1).click();
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
      await page.getByRole("button", words("Capture as image")).nth(2).click();
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
      await page.getByRole("button", words("Read")).nth(1).click();
      await page.getByRole("button", words("Read")).nth(1).click();
    },
  },
];
