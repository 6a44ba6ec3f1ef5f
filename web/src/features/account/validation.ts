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
import { characters } from "@/shared/text/characters";

/** What is wrong with a form, by field. Empty: nothing. */
export type Errors<Field extends string> = Partial<Record<Field, string>>;

/** The pattern browsers use for `type=email`, with a dot required in the host. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

export function isEmail(address: string): boolean {
  return address.length <= EMAIL_MAX && EMAIL.test(address);
}

/** Whitespace becomes hyphens while the name is typed, and nothing is taken beyond the longest name. */
export function asUsername(typed: string): string {
  return Array.from(typed.replace(/\s/gu, "-")).slice(0, USERNAME_MAX).join("");
}

/** The name that was typed: a phone's keyboard puts a space behind what it completes. */
export function withoutEnds(typed: string): string {
  return asUsername(typed.trim());
}

export type SignUp = { username: string; email: string; password: string };

export function checkSignUp({ username, email, password }: SignUp): Errors<keyof SignUp> {
  const words = appText.codes;
  const errors: Errors<keyof SignUp> = {};
  if (characters(username) < USERNAME_MIN) errors.username = words.username_too_short;
  else if (characters(username) > USERNAME_MAX) errors.username = words.username_too_long;
  if (!isEmail(email.trim())) errors.email = words.email_invalid;
  if (characters(password) < SIGNUP_PASSWORD_MIN) errors.password = words.new_password_too_short;
  return errors;
}

/** One sentence for both fields: it stands at the first that is short. */
export function checkLogin(identifier: string, password: string): Errors<"identifier" | "password"> {
  if (characters(identifier.trim()) < LOGIN_MIN) return { identifier: appText.codes.credentials_invalid };
  return characters(password) < LOGIN_MIN ? { password: appText.codes.credentials_invalid } : {};
}

export function checkReset(email: string): string | undefined {
  return isEmail(email.trim()) ? undefined : appText.codes.reset_email_invalid;
}

export function checkNewPassword(password: string, confirmation: string): Errors<"next" | "confirmation"> {
  if (characters(password) < SIGNUP_PASSWORD_MIN) return { next: appText.codes.new_password_too_short };
  return password === confirmation ? {} : { confirmation: appText.codes.passwords_differ };
}

export type PasswordChange = { current: string; next: string; confirmation: string };

export function checkPasswordChange(form: PasswordChange): Errors<keyof PasswordChange> {
  const words = appText.codes;
  const errors: Errors<keyof PasswordChange> = {};
  if (characters(form.current) < CHANGE_PASSWORD_MIN) errors.current = words.password_too_short;
  if (characters(form.next) < CHANGE_PASSWORD_MIN) errors.next = words.password_too_short;
  else if (form.next !== form.confirmation || characters(form.next) <= CHANGE_PASSWORD_OVER) {
    errors.confirmation = words.passwords_differ;
  }
  return errors;
}

export function mayDelete(password: string): boolean {
  return characters(password) >= DELETE_PASSWORD_MIN;
}
