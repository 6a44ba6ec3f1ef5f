import { beforeEach, expect, test, vi } from "vitest";
import { notificationsAreOn, notifyOf, turnNotificationsOff, turnNotificationsOn } from "./notifications";
import { playArrived, playSent, setSound, soundIsOn } from "./sounds";

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

test("nothing is asked or shown before it is wished", async () => {
  notifyOf(room, "🦊", false);
  expect(FakeNotification.requestPermission).not.toHaveBeenCalled();
  expect(shown).toEqual([]);
  expect(await turnNotificationsOn()).toBe(true);
  notifyOf(room, "🦊", false);
  expect(shown).toEqual([
    {
      title: "New message in midnight tacos",
      options: expect.objectContaining({ body: "🦊", tag: "annon-r" }),
    },
  ]);
  turnNotificationsOff();
  notifyOf(room, "🦊", false);
  expect(shown).toHaveLength(1);
  expect(await turnNotificationsOn()).toBe(true);
  expect(FakeNotification.requestPermission).toHaveBeenCalledOnce();
});

test("who is meant is told so", async () => {
  await turnNotificationsOn();
  notifyOf(room, "🦊", true);
  expect(shown[0]?.title).toBe("You were mentioned in midnight tacos");
});

test("a browser that says no, or can't, leaves them off", async () => {
  FakeNotification.permission = "denied";
  expect(await turnNotificationsOn()).toBe(false);
  vi.stubGlobal("Notification", undefined);
  expect(await turnNotificationsOn()).toBe(false);
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

/** A browser that makes sounds; gives how many tones there were. */
function listening(): () => number {
  let tones = 0;
  const param = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  vi.stubGlobal(
    "AudioContext",
    class {
      currentTime = 0;
      resume = async () => {};
    },
  );
  vi.stubGlobal(
    "OscillatorNode",
    class {
      connect = (next: unknown) => next;
      start = () => {
        tones += 1;
      };
      stop() {}
    },
  );
  vi.stubGlobal(
    "GainNode",
    class {
      gain = param;
      connect() {}
    },
  );
  return () => tones;
}

test("what arrives makes one tone a second at most, none when muted, and none before the page was used", () => {
  const tones = listening();
  const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
  const activation = { hasBeenActive: false };
  vi.stubGlobal("navigator", { userActivation: activation });
  playArrived();
  expect(tones()).toBe(0);
  activation.hasBeenActive = true;
  playArrived();
  playArrived();
  clock.mockReturnValue(10_999);
  playArrived();
  expect(tones()).toBe(1);
  clock.mockReturnValue(11_000);
  playArrived();
  expect(tones()).toBe(2);
  clock.mockReturnValue(20_000);
  setSound(false);
  playArrived();
  expect(tones()).toBe(2);
});
