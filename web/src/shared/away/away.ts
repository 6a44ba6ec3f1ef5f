import type { Schemas } from "@/shared/api/api";

export type Subscription = Schemas["SubscriptionItem"];
export type Kind = Subscription["kinds"][number];

/** Of what somebody is told, each with its words, and how the server hears of it. */
export type Away = {
  kinds: Partial<Record<Kind, string>>;
  load: () => Promise<{ data: Schemas["PushData"] }>;
  keep: (
    kinds: Kind[],
    subscription: Omit<Schemas["Subscribe"], "kinds">,
  ) => Promise<{ data: { id: string } }>;
  drop: (id: string) => Promise<unknown>;
  /** Tells why a call failed. That of an account may lead to the sign-in. */
  failed: (failure: unknown) => void;
};
