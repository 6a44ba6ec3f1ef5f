/** How somebody comes to their account in any engine. */
import { PASSWORD } from "../support/people.ts";
import type { Screen } from "./screen.ts";

export async function signUp(screen: Screen, name: string, base: string) {
  await screen.open(`${base}/`);
  await screen.sees("h1", /Say it without the/);
  await screen.click("a", "Sign Up");
  await screen.write("Username", name);
  await screen.write("Email", `${name}@mail.example`);
  await screen.write("Password", PASSWORD);
  await screen.click("button", "Create account");
  await screen.sees("h1", `Hello, ${name}`);
}

export async function signIn(screen: Screen, name: string, base: string) {
  await screen.open(`${base}/login`);
  await screen.write("Username or email", name);
  await screen.write("Password", PASSWORD);
  await screen.click("button", "Sign in");
  await screen.sees("h1", `Hello, ${name}`);
}
