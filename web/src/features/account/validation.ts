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
  const words = appText.signUp.errors;
  const errors: Errors<keyof SignUp> = {};
  if (characters(username) < USERNAME_MIN) errors.username = words.username;
  else if (characters(username) > USERNAME_MAX) errors.username = words.usernameLong;
  if (!isEmail(email.trim())) errors.email = words.email;
  if (characters(password) < SIGNUP_PASSWORD_MIN) errors.password = words.password;
  return errors;
}

/** One sentence for both fields: it stands at the first that is short. */
export function checkLogin(identifier: string, password: string): Errors<"identifier" | "password"> {
  if (characters(identifier.trim()) < LOGIN_MIN) return { identifier: appText.login.invalid };
  return characters(password) < LOGIN_MIN ? { password: appText.login.invalid } : {};
}

export function checkReset(email: string): string | undefined {
  return isEmail(email.trim()) ? undefined : appText.reset.invalid;
}

export function checkNewPassword(password: string, confirmation: string): Errors<"next" | "confirmation"> {
  if (characters(password) < SIGNUP_PASSWORD_MIN) return { next: appText.signUp.errors.password };
  return password === confirmation ? {} : { confirmation: appText.settings.changePassword.differs };
}

export type PasswordChange = { current: string; next: string; confirmation: string };

export function checkPasswordChange(form: PasswordChange): Errors<keyof PasswordChange> {
  const words = appText.settings.changePassword;
  const errors: Errors<keyof PasswordChange> = {};
  if (characters(form.current) < CHANGE_PASSWORD_MIN) errors.current = words.short;
  if (characters(form.next) < CHANGE_PASSWORD_MIN) errors.next = words.short;
  else if (form.next !== form.confirmation || characters(form.next) <= CHANGE_PASSWORD_OVER) {
    errors.confirmation = words.differs;
  }
  return errors;
}

export function mayDelete(password: string): boolean {
  return characters(password) >= DELETE_PASSWORD_MIN;
}
