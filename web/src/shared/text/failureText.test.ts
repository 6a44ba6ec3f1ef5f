import { expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { refusalOf } from "@/shared/testing/refusalOf";
import { failureText } from "./failureText";

test.each([
  [new ApiFailure(409, refusalOf("username_taken")), "This username is already taken"],
  [
    new ApiFailure(429, { ...refusalOf("too_many_attempts"), wait_seconds: 1 }),
    "Wait 1 second and try again.",
  ],
  [new ApiFailure(0), "The server isn’t responding."],
  [new ApiFailure(502), "An error occured"],
  [new TypeError("a mistake of ours"), "An error occured"],
])("%s has the text %s", (failure, words) => {
  expect(failureText(failure)).toContain(words);
});

test("without a network, that is why there is no answer", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  expect(failureText(new ApiFailure(0))).toContain("You’re offline.");
});

test("in German a refusal has a German text, also a refusal with a time in it", async () => {
  Object.assign(document.documentElement, { lang: "de" }).dataset.drawn = "";
  vi.resetModules();
  const german = await import("./failureText");
  const { ApiFailure: Failure } = await import("@/shared/api/client");
  const textOf = (code: Code, wait_seconds?: number) =>
    german.failureText(new Failure(429, { ...refusalOf(code), ...(wait_seconds && { wait_seconds }) }));
  expect(textOf("too_many_attempts", 601)).toBe(
    "Zu viele Versuche. Warte 11 Minuten und versuche es dann erneut.",
  );
  expect(textOf("too_many_attempts", 61)).toContain("Warte 61 Sekunden");
  expect(textOf("too_many_notes", 1)).toBe(
    "Du hast hier schon viele Nachrichten geschickt. Warte 1 Sekunde und versuche es dann erneut.",
  );
  expect(textOf("wrong_password")).toBe("Falsches Passwort!");
  // A newer server may have more codes than this page.
  expect(german.failureText(new Failure(400, { code: "newer" as Code, message: "Newer." }))).toBe("Newer.");
  delete document.documentElement.dataset.drawn;
});
