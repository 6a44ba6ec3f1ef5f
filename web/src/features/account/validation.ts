import type { Code } from "@/shared/contract/codes";
import {
  CHANGE_PASSWORD_MIN,
  CHANGE_PASSWORD_OVER,
  DELETE_PASSWORD_MIN,
  EMAIL_MAX,
  LOGIN_MIN,
  SIGNUP_PASSWORD_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
} from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { capped, characters } from "@/shared/text/characters";

/** The pattern browsers use for `type=email`, with a dot required in the host. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

export function isEmail(address: string): boolean {
  return address.length <= EMAIL_MAX && EMAIL.test(address);
}

/** While a name is typed, turns whitespace into hyphens, and drops what is longer than the longest name. */
export function asUsername(typed: string): string {
  return capped(typed.replace(/\s/gu, "-"), USERNAME_MAX);
}

/** The typed name without blanks at its ends: a phone's keyboard adds a space after a completed word. */
export function withoutEnds(typed: string): string {
  return asUsername(typed.trim());
}

/** The field of each form that a refusal of the server is about. */
type FieldOf = Partial<Record<Code, string>>;

export const signUpFieldOf = {
  invitation_needed: "invitation",
  invitation_invalid: "invitation",
  username_too_short: "username",
  username_too_long: "username",
  username_characters: "username",
  username_not_available: "username",
  username_taken: "username",
  email_invalid: "email",
  email_taken: "email",
  new_password_too_short: "password",
  password_too_long: "password",
  password_too_common: "password",
  password_is_username: "password",
} as const satisfies FieldOf;

export const newPasswordFieldOf = {
  new_password_too_short: "new_password",
  password_too_long: "new_password",
  password_too_common: "new_password",
  password_is_username: "new_password",
} as const satisfies FieldOf;

export const passwordChangeFieldOf = {
  wrong_password: "current",
  password_too_long: "next",
  password_too_common: "next",
  password_is_username: "next",
} as const satisfies FieldOf;

type Fields<Name extends string> = Record<Name, string>;

/** A name can't be too long: `asUsername` has dropped the rest. */
export function checkSignUp({ username, email, password }: Fields<"username" | "email" | "password">) {
  const words = appText.codes;
  return {
    ...(characters(withoutEnds(username)) < USERNAME_MIN && { username: words.username_too_short }),
    ...(!isEmail(email.trim()) && { email: words.email_invalid }),
    ...(characters(password) < SIGNUP_PASSWORD_MIN && { password: words.new_password_too_short }),
  };
}

/** One sentence for both fields. It is shown at the first one that is too short. */
export function checkLogin({ email_or_username, password }: Fields<"email_or_username" | "password">) {
  const wrong = appText.codes.credentials_invalid;
  if (characters(email_or_username.trim()) < LOGIN_MIN) return { email_or_username: wrong };
  return characters(password) < LOGIN_MIN ? { password: wrong } : {};
}

export function checkReset({ email }: Fields<"email">) {
  return isEmail(email.trim()) ? {} : { email: appText.codes.reset_email_invalid };
}

export function checkNewPassword({ new_password, confirmation }: Fields<"new_password" | "confirmation">) {
  const { new_password_too_short, passwords_differ } = appText.codes;
  if (characters(new_password) < SIGNUP_PASSWORD_MIN) return { new_password: new_password_too_short };
  return new_password === confirmation ? {} : { confirmation: passwords_differ };
}

export function checkPasswordChange(form: Fields<"current" | "next" | "confirmation">) {
  const { password_too_short, passwords_differ } = appText.codes;
  const isShort = characters(form.next) < CHANGE_PASSWORD_MIN;
  const differs = form.next !== form.confirmation || characters(form.next) <= CHANGE_PASSWORD_OVER;
  return {
    ...(characters(form.current) < CHANGE_PASSWORD_MIN && { current: password_too_short }),
    ...(isShort && { next: password_too_short }),
    ...(!isShort && differs && { confirmation: passwords_differ }),
  };
}

export function mayDelete(password: string): boolean {
  return characters(password) >= DELETE_PASSWORD_MIN;
}
