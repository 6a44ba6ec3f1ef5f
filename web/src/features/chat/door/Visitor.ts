import { createStore } from "zustand/vanilla";
import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, bodyOf } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { KNOCK_CALL_WAITS } from "@/shared/contract/limits";
import { tabStorage } from "@/shared/storage";
import { failureText } from "@/shared/text/failureText";
import { ask } from "../connection/ask";

/** How a visit at a group's door stands. */
export type Visit = {
  stage: "before" | "waiting" | "declined" | "lapsed";
  /** Whether the server is asked to take a knock. */
  busy: boolean;
  emoji?: string;
  /** When the knock lapses, by this device's clock. */
  until?: number;
  /** Why the last call failed. */
  why?: string;
};

/** What the visitor needs from outside. Tests replace it. */
export type DoorCalls = {
  knock: () => Promise<Schemas["Knocked"]>;
  /** How a knock stands, after at most so many seconds. */
  stands: (knock: string, wait: number) => Promise<Schemas["KnockData"]>;
  pause: (ms: number) => Promise<void>;
};

/** A call that is answered too early, or not at all, is made again after this time. */
const PAUSE_MS = 2000;

/** What the page of the group says better than this one. */
const LOOK_AGAIN: readonly (Code | undefined)[] = [
  "no_need_to_knock",
  "group_full",
  "group_locked",
  "group_expired",
  "removed_from_group",
];

/**
 * Somebody at the door of a group that asks first: knocks, and waits for the creator's answer. The knock is kept by the
 * tab, so that a reload goes on waiting.
 */
export class Visitor {
  readonly store = createStore<Visit>(() => ({ stage: "before", busy: false }));
  private readonly key: string;
  private readonly calls: DoorCalls;
  private readonly lookAgain: () => void;
  /** Which wait is going on: an older one ends with its call. */
  private turn = 0;

  /** `lookAgain` opens the group once more: the visitor may come in, or it says why not. */
  constructor(id: string, lookAgain: () => void, calls: DoorCalls = realCalls(id)) {
    this.key = `annon.knock.${id}`;
    this.lookAgain = lookAgain;
    this.calls = calls;
  }

  start() {
    const kept = tabStorage.getItem(this.key);
    if (kept === null) return;
    this.store.setState({ busy: true });
    void this.wait(kept);
  }

  stop() {
    this.turn += 1;
  }

  readonly knock = async () => {
    this.store.setState({ busy: true, why: undefined });
    try {
      const { knock, emoji, seconds_left } = await this.calls.knock();
      tabStorage.setItem(this.key, knock);
      this.store.setState({ stage: "waiting", emoji, until: Date.now() + seconds_left * 1000 });
      void this.wait(knock);
    } catch (failure) {
      if (failure instanceof ApiFailure && LOOK_AGAIN.includes(failure.refusal.code)) this.lookAgain();
      else this.store.setState({ why: failureText(failure) });
    }
    this.store.setState({ busy: false });
  };

  private async wait(knock: string) {
    this.turn += 1;
    const { turn } = this;
    while (turn === this.turn) {
      const asked = Date.now();
      // After a reload or a failure the page shows at once how it stands.
      const { stage, why } = this.store.getState();
      const isKnown = stage === "waiting" && why === undefined;
      const seen = await this.calls
        .stands(knock, isKnown ? KNOCK_CALL_WAITS : 0)
        .catch((failure: unknown) => failure);
      if (turn !== this.turn) return;
      if (!isSeen(seen)) {
        const code = seen instanceof ApiFailure ? seen.refusal.code : undefined;
        if (code === "no_such_knock") return this.over("lapsed");
        if (LOOK_AGAIN.includes(code)) return this.over("before");
        this.store.setState({ why: failureText(seen), busy: false });
        await this.calls.pause(PAUSE_MS);
      } else if (seen.state === "waiting") {
        const until = Date.now() + seen.seconds_left * 1000;
        this.store.setState({ stage: "waiting", busy: false, emoji: seen.emoji, until, why: undefined });
        if (isKnown && Date.now() - asked < PAUSE_MS) await this.calls.pause(PAUSE_MS);
      } else return this.over(seen.state === "admitted" ? "before" : seen.state);
    }
  }

  private over(stage: Visit["stage"]) {
    this.turn += 1;
    tabStorage.removeItem(this.key);
    if (stage === "before") this.lookAgain();
    else this.store.setState({ stage, busy: false, why: undefined });
  }
}

function isSeen(seen: unknown): seen is Schemas["KnockData"] {
  return typeof seen === "object" && seen !== null && "state" in seen;
}

function realCalls(id: string): DoorCalls {
  return {
    knock: () => bodyOf(ask(id, "knock").then(({ response }) => response)),
    stands: async (knock, wait) => {
      const query = { wait };
      return (await api("get", "/api/room/{id}/knock/{knock}", { params: { id, knock }, query })).data;
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
