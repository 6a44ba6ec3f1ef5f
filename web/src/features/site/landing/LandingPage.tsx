import type { ReactNode } from "react";
import { Groups } from "./Groups";
import { Hero } from "./Hero";
import { HowItWorks } from "./HowItWorks";
import { Join } from "./Join";
import { Ledger } from "./Ledger";

/** Parts of the app, drawn by the features they belong to. */
type Props = { notes: ReactNode; capture: ReactNode; group: ReactNode; joined: ReactNode };

/** What Annon is, for somebody who has never heard of it. */
export function LandingPage({ notes, capture, group, joined }: Props) {
  return (
    <>
      {joined && <div className="page">{joined}</div>}
      <Hero />
      <HowItWorks capture={capture} notes={notes} />
      <Groups sample={group} />
      <Ledger />
      <Join />
    </>
  );
}
