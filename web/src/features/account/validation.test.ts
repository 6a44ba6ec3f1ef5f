import { expect, test } from "vitest";
import {
  asUsername,
  checkLogin,
  checkNewPassword,
  checkPasswordChange,
  checkSignUp,
  isEmail,
  withoutEnds,
} from "./validation";

const signUp = { username: "somebody", email: "some@body.example", password: "12345678" };
const SHORT = "Password must be 8 characters or above";

test.each([
  [{}, {}],
  [{ username: "sixsix", email: " some@body.example " }, {}],
  [{ username: "short" }, { username: "Username must be 6 characters or above" }],
  [{ email: "some@body" }, { email: "Invalid Email Address" }],
  [{ password: "1234567" }, { password: SHORT }],
  // Characters are counted as people count them.
  [{ password: "🦊".repeat(4) }, { password: SHORT }],
  [{ password: "🦊".repeat(8) }, {}],
])("a sign-up with %j is answered %j", (change, errors) => {
  expect(checkSignUp({ ...signUp, ...change })).toEqual(errors);
});

test("whitespace in a username becomes hyphens, and 16 characters are the most", () => {
  expect(asUsername("some body\t2")).toBe("some-body-2");
  expect(asUsername("a".repeat(20))).toHaveLength(16);
  expect(withoutEnds(" some body ")).toBe("some-body");
});

test("what is an address, and what isn't", () => {
  const good = ["a@b.co", "first.last+tag@sub.domain.example"];
  const bad = ["", "a", "a@", "@b.co", "a@b", "a b@c.co", "a@b..co", "a@-b.co", `${"a".repeat(250)}@b.co`];
  expect([...good, ...bad].filter(isEmail)).toEqual(good);
});

const WRONG = "Kindly input valid login credentials";

test.each([
  ["sixsix", "sixsix", {}],
  ["short", "sixsix", { email_or_username: WRONG }],
  ["sixsix", "short", { password: WRONG }],
  ["", "", { email_or_username: WRONG }],
])("a login with %j and %j is answered %j", (email_or_username, password, errors) => {
  expect(checkLogin({ email_or_username, password })).toEqual(errors);
});

test.each([
  ["12345678", "12345678", {}],
  ["1234567", "1234567", { new_password: SHORT }],
  ["12345678", "12345679", { confirmation: "Password do not match" }],
])("after a reset, %j and %j are answered %j", (new_password, confirmation, errors) => {
  expect(checkNewPassword({ new_password, confirmation })).toEqual(errors);
});

test.each([
  ["12345", "123456", "123456", {}],
  ["1234", "123456", "123456", { current: "Password too short" }],
  ["12345", "1234", "1234", { next: "Password too short" }],
  ["12345", "123456", "123457", { confirmation: "Password do not match" }],
  ["12345", "12345", "12345", { confirmation: "Password do not match" }],
])("changing %j to %j and %j is answered %j", (current, next, confirmation, errors) => {
  expect(checkPasswordChange({ current, next, confirmation })).toEqual(errors);
});
