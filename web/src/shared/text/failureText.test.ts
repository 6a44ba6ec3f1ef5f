import { expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import { failureText } from "./failureText";

test.each([
  [new ApiFailure(409, "This username is already taken"), "This username is already taken"],
  [new ApiFailure(429, "Too many attempts. Wait a second and try again."), "Wait 1 second and"],
  [new ApiFailure(429, "Too many attempts. Wait 61 seconds and try again."), "Wait 61 seconds and"],
  [new ApiFailure(429, "Too many attempts. Wait 11 minutes and try again."), "Wait 11 minutes and"],
  [
    new ApiFailure(429, "You've sent a lot of notes here. Wait 2 minutes and try again."),
    "notes here. Wait 2 minutes and",
  ],
  [new ApiFailure(0, ""), "The server isn’t responding."],
  [new ApiFailure(502, ""), "An error occured"],
  [new TypeError("a mistake of ours"), "An error occured"],
])("%s is told as %s", (failure, words) => {
  expect(failureText(failure)).toContain(words);
});

test("without a network, that is why there is no answer", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  expect(failureText(new ApiFailure(0, ""))).toContain("You’re offline.");
});

test("in German the server's sentences are German, also the one with a time in it", async () => {
  localStorage.setItem("language", "de");
  vi.resetModules();
  const german = await import("./failureText");
  const { ApiFailure: Failure } = await import("@/shared/api/client");
  const said = (message: string) => german.failureText(new Failure(429, message));
  expect(said("Too many attempts. Wait 11 minutes and try again.")).toBe(
    "Zu viele Versuche. Warte 11 Minuten und versuche es dann erneut.",
  );
  expect(said("You've sent a lot of notes here. Wait a second and try again.")).toBe(
    "Du hast hier schon viele Nachrichten geschickt. Warte 1 Sekunde und versuche es dann erneut.",
  );
  expect(said("incorrect password!")).toBe("Falsches Passwort!");
  localStorage.clear();
});
