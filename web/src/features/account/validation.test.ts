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

const good = { username: "somebody", email: "some@body.example", password: "12345678" };

test("a good sign-up has nothing wrong", () => {
  expect(checkSignUp(good)).toEqual({});
  expect(checkSignUp({ ...good, username: "sixsix", email: " some@body.example " })).toEqual({});
});

test.each([
  [{ username: "short" }, { username: "Username must be 6 characters or above" }],
  [{ email: "some@body" }, { email: "Invalid Email Address" }],
  [{ password: "1234567" }, { password: "Password must be 8 characters or above" }],
])("%j is answered %j", (change, errors) => {
  expect(checkSignUp({ ...good, ...change })).toEqual(errors);
});

test("characters are counted as people count them", () => {
  expect(checkSignUp({ ...good, password: "🦊🦊🦊🦊" }).password).toBe(
    "Password must be 8 characters or above",
  );
  expect(checkSignUp({ ...good, password: "🦊🦊🦊🦊🦊🦊🦊🦊" }).password).toBeUndefined();
});

test("whitespace in a username becomes hyphens, and 16 characters are the most", () => {
  expect(asUsername("some body\t2")).toBe("some-body-2");
  expect(asUsername("a".repeat(20))).toHaveLength(16);
  expect(withoutEnds(" some body ")).toBe("some-body");
});

test.each(["a@b.co", "first.last+tag@sub.domain.example"])("%s is an address", (address) => {
  expect(isEmail(address)).toBe(true);
});

test.each(["", "a", "a@", "@b.co", "a@b", "a b@c.co", "a@b..co", "a@-b.co", `${"a".repeat(250)}@b.co`])(
  "%s isn't",
  (address) => {
    expect(isEmail(address)).toBe(false);
  },
);

test("both parts of a login have at least 6 characters", () => {
  const wrong = "Kindly input valid login credentials";
  expect(checkLogin({ email_or_username: "sixsix", password: "sixsix" })).toEqual({});
  expect(checkLogin({ email_or_username: "short", password: "sixsix" })).toEqual({
    email_or_username: wrong,
  });
  expect(checkLogin({ email_or_username: "sixsix", password: "short" })).toEqual({ password: wrong });
  expect(checkLogin({ email_or_username: "", password: "" })).toEqual({ email_or_username: wrong });
});

test("a new password after a reset follows the sign-up's rule", () => {
  expect(checkNewPassword({ new_password: "12345678", confirmation: "12345678" })).toEqual({});
  expect(checkNewPassword({ new_password: "1234567", confirmation: "1234567" }).new_password).toBe(
    "Password must be 8 characters or above",
  );
  expect(checkNewPassword({ new_password: "12345678", confirmation: "12345679" }).confirmation).toBe(
    "Password do not match",
  );
});

test.each([
  [{ current: "12345", next: "123456", confirmation: "123456" }, {}],
  [{ current: "1234", next: "123456", confirmation: "123456" }, { current: "Password too short" }],
  [{ current: "12345", next: "1234", confirmation: "1234" }, { next: "Password too short" }],
  [{ current: "12345", next: "123456", confirmation: "123457" }, { confirmation: "Password do not match" }],
  [{ current: "12345", next: "12345", confirmation: "12345" }, { confirmation: "Password do not match" }],
])("changing %j is answered %j", (form, errors) => {
  expect(checkPasswordChange(form)).toEqual(errors);
});
