import { Groups } from "./Groups";
import { Hero } from "./Hero";
import { HowItWorks } from "./HowItWorks";
import { Join } from "./Join";
import { Ledger } from "./Ledger";

/** What Annon is, for somebody who has never heard of it. */
export function LandingPage() {
  return (
    <>
      <Hero />
      <HowItWorks />
      <Groups />
      <Ledger />
      <Join />
    </>
  );
}
