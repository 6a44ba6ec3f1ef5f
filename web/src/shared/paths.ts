/**
 * Every address of the app, once. The router builds its table from these patterns and every link is made from them.
 * They live in shared, not in app, because features link to each other's pages without importing each other.
 *
 * The server knows the same, in `contract/src/pages.rs`. A user's page is `/{username}`, so the first part of each of
 * these is a name nobody may register.
 */
export const paths = {
  landing: "/",
  index: "/index",
  getStarted: "/getstarted",
  about: "/about",
  blog: "/blog",
  terms: "/terms",
  privacy: "/privacy",
  login: "/login",
  signup: "/signup",
  reset: "/reset",
  resetConfirm: "/reset/:token",
  confirm: "/confirm/:token",
  feedback: "/feedback",
  home: "/homepage",
  roomNew: "/room/new",
  room: "/room/:roomId",
  settings: "/settings",
  expired: "/expired",
  roomFull: "/roomfull",
  error: "/error",
  user: "/:username",
} as const;
