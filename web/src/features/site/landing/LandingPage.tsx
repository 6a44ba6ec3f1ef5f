import type { ReactNode } from "react";
import { Groups } from "./Groups";
import { Hero } from "./Hero";
import { HowItWorks } from "./HowItWorks";
import { Join } from "./Join";
import { Ledger } from "./Ledger";

/** What Annon is, for somebody who has never heard of it. Who has joined groups finds them on top. */
export function LandingPage({ joined }: { joined: ReactNode }) {
  return (
    <>
      {joined && <div className="page">{joined}</div>}
      <Hero />
      <HowItWorks />
      <Groups />
      <Ledger />
      <Join />
    </>
  );
}
