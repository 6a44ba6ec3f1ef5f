// Written by `make wire` from contract/src; don't edit.

/** The address of each page, as a pattern. The router and every link are made from these. */
export const paths = {
  landing: "/",
  index: "/index",
  getStarted: "/getstarted",
  about: "/about",
  blog: "/blog",
  terms: "/terms",
  privacy: "/privacy",
  imprint: "/imprint",
  login: "/login",
  signup: "/signup",
  reset: "/reset",
  resetConfirm: "/reset/:token",
  confirm: "/confirm/:token",
  mailEnd: "/mails/:token",
  feedback: "/feedback",
  report: "/report",
  verify: "/verify",
  home: "/homepage",
  roomNew: "/room/new",
  room: "/room/:roomId",
  conversation: "/c/:id",
  open: "/open",
  settings: "/settings",
  expired: "/expired",
  roomFull: "/roomfull",
  error: "/error",
  answer: "/:username/a/:id",
  user: "/:username",
} as const;

/** The title that the server gives each page, by the pattern of its address. */
export const PAGES = {
  "/": "Annon: anonymous notes and short-lived group chats",
  "/index": "Annon: anonymous notes and short-lived group chats",
  "/getstarted": "Get started",
  "/about": "About us",
  "/blog": "Blog",
  "/terms": "Terms",
  "/privacy": "Privacy",
  "/imprint": "Imprint",
  "/login": "Sign in",
  "/signup": "Sign Up",
  "/reset": "Reset your password",
  "/reset/:token": "Choose a new password",
  "/confirm/:token": "Confirm your email",
  "/mails/:token": "Stop these emails",
  "/feedback": "Feedback",
  "/report": "Report",
  "/verify": "Check the code",
  "/homepage": "Home",
  "/room/new": "Create a group",
  "/room/:roomId": "Group chat",
  "/c/:id": "Private conversation",
  "/open": "Open your inbox here",
  "/settings": "Settings",
  "/expired": "Group expired",
  "/roomfull": "Group full",
  "/error": "Oops",
  "/:username/a/:id": "Public answer",
  "/:username": "Send an anonymous note",
};

/** The title of a personal page. */
export const PERSONAL_TITLE = "Send {name} an anonymous note";

/** The title of the page of a public answer. */
export const ANSWER_TITLE = "{name} answers a note";

/** The server sends it with every page. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types annon-worker";
