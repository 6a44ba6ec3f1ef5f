import { lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import type { Schemas } from "@/shared/api/api";
import type { Plain } from "./sealing/sealedNote";

type Page = Schemas["Recipient"];

/** Only who writes to a sealed inbox loads what seals. */
const sealing = () => import("./sealing/sealedNote");

const SealLine = lazy(async () => ({ default: (await import("./sealing/SealLine")).SealLine }));

const PIN = "#k=";

/** The part of a personal link that names the key of a sealed inbox, for links to the same page. */
export const pinIn = (hash: string) => (hash.startsWith(PIN) ? hash : "");

/**
 * Seals notes if the inbox is sealed, or if the link says that it is: then only with the key that the link names. `line`
 * says so beside the form.
 */
export function useSeal(username: string, page: Page | undefined) {
  const pin = pinIn(useLocation().hash);
  // The drawn page has no hash.
  const [isHere, setHere] = useState(false);
  useEffect(() => setHere(true), []);
  const pinned = pin === "" ? undefined : pin.slice(PIN.length);
  const isSealed = page?.seal !== undefined || pinned !== undefined;
  useEffect(() => {
    // Without a network a page that has to load code when it sends would load itself anew.
    if (isSealed) sealing().catch(() => {});
  }, [isSealed]);

  /** A note as it is sent in place of its words; undefined if it goes open. */
  async function sealed({ seal }: Page, note: Omit<Plain, "to">) {
    if (!seal && pinned === undefined) return undefined;
    return (await sealing()).sealedNote({ seal, pinned }, { to: username, ...note });
  }

  /** Throws if the seal that a page said its notes get is gone: nobody's words go open where it said otherwise. */
  async function stillSealed(before: Page, now: Page) {
    if (before.seal && !now.seal && pinned === undefined) throw (await sealing()).turnedOff(username);
  }

  const line = isHere && page && isSealed && (
    <Suspense>
      <SealLine name={username} pinned={pinned} seal={page.seal} />
    </Suspense>
  );
  return { sealed, stillSealed, line };
}
