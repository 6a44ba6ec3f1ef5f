import { beforeEach, expect, test, vi } from "vitest";
import { notificationsAreOn, notifyOf, startNotifying, stopNotifying } from "./notifications";
import { playSent, setSound, soundIsOn } from "./sounds";

const shown: { title: string; options: NotificationOptions }[] = [];

class FakeNotification {
  static permission = "default";
  static requestPermission = vi.fn(async () => {
    FakeNotification.permission = "granted";
    return "granted";
  });
  constructor(title: string, options: NotificationOptions) {
    shown.push({ title, options });
  }
}

beforeEach(() => {
  localStorage.clear();
  shown.length = 0;
  FakeNotification.permission = "default";
  FakeNotification.requestPermission.mockClear();
  vi.stubGlobal("Notification", FakeNotification);
});

const room = { id: "r", name: "midnight tacos" };

test("nothing is asked or shown before the user wants it, and a mention has its own words", async () => {
  notifyOf(room, "🦊", false);
  expect(FakeNotification.requestPermission).not.toHaveBeenCalled();
  expect(shown).toEqual([]);
  expect(await startNotifying()).toBe(true);
  notifyOf(room, "🦊", false);
  expect(shown).toEqual([
    {
      title: "New message in midnight tacos",
      options: expect.objectContaining({ body: "🦊", tag: "annon-r" }),
    },
  ]);
  stopNotifying();
  notifyOf(room, "🦊", false);
  expect(shown).toHaveLength(1);
  expect(await startNotifying()).toBe(true);
  expect(FakeNotification.requestPermission).toHaveBeenCalledOnce();
  notifyOf(room, "🦊", true);
  expect(shown[1]?.title).toBe("You were mentioned in midnight tacos");
});

test("notifications stay off in a browser that refuses them or has none", async () => {
  FakeNotification.permission = "denied";
  expect(await startNotifying()).toBe(false);
  vi.stubGlobal("Notification", undefined);
  expect(await startNotifying()).toBe(false);
  expect(notificationsAreOn()).toBe(false);
});

test("the sound can be muted, and a browser without one is no trouble", () => {
  const made = vi.fn();
  vi.stubGlobal(
    "AudioContext",
    class {
      constructor() {
        made();
        throw new Error("no sound card");
      }
    },
  );
  expect(soundIsOn()).toBe(true);
  setSound(false);
  playSent();
  expect(made).not.toHaveBeenCalled();
  expect(localStorage.getItem("annon.sound")).toBe("off");
  setSound(true);
  playSent();
  expect(made).toHaveBeenCalledOnce();
});
