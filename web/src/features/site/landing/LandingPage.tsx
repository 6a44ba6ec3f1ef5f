import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { siteHost } from "@/shared/links";
import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { StartLink } from "@/shared/ui/StartLink";
import { AnswersDemo, RoomDemo } from "./Demos";
import { Join } from "./Join";
import styles from "./LandingPage.module.css";
import { Ledger } from "./Ledger";
import { StickerPile } from "./StickerPile";
import { TryIt } from "./TryIt";

/** Explains Annon to a newcomer. At the top are the groups that the visitor has joined. */
export function LandingPage({ joined }: { joined: ReactNode }) {
  return (
    <div data-no-groups={joined ? undefined : true}>
      {joined && <div className={styles.joined}>{joined}</div>}
      <Hero />
      <HowItWorks />
      <Rooms />
      <Ledger />
      <Join />
    </div>
  );
}

function Hero() {
  const words = text.landing.hero;
  return (
    <section className={styles.hero}>
      <div className={styles.lead}>
        <h1>
          {words.lead} <span className={styles.tag}>{words.tag}</span>
        </h1>
        <p>{words.body}</p>
        <p className={styles.actions}>
          <StartLink size="l" />
          <span className={styles.links}>
            <a className={styles.link} href="#how">
              {words.how}
            </a>
            <Link className={styles.link} to={paths.getStarted}>
              {words.tour}
            </Link>
          </span>
        </p>
      </div>
      <StickerPile />
    </section>
  );
}

/** The steps. Each has a picture of its result. */
function HowItWorks() {
  const words = text.landing.how;
  const pictures = [
    <p className={styles.address} key="link" suppressHydrationWarning>
      {siteHost()}/<b>{words.username}</b>
    </p>,
    <ul className={styles.places} key="places">
      {words.places.map((place) => (
        <li className={styles.place} key={place}>
          {place}
        </li>
      ))}
    </ul>,
    <AnswersDemo key="answers" />,
    <TryIt key="capture" />,
  ];
  return (
    <section aria-labelledby="how-title" className={styles.how} id="how">
      <h2 className={styles.title} id="how-title">
        {words.title}
      </h2>
      <ol className={styles.steps}>
        {words.steps.map((step, index) => (
          <li className={styles.step} key={step.title}>
            <h3>{step.title}</h3>
            <div className={styles.picture}>{pictures[index]}</div>
            <p>{step.body}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Rooms() {
  const words = text.landing.rooms;
  return (
    <section aria-labelledby="rooms-title" className={styles.band}>
      <div className={styles.rooms}>
        <div>
          <h2 className={styles.title} id="rooms-title">
            {words.title}
          </h2>
          <div aria-label={words.seatsLabel} className={styles.seats} role="img">
            {words.seats.map((emoji) => (
              <EmojiDisc className={styles.seat} emoji={emoji} key={emoji} />
            ))}
          </div>
          <ul className={styles.points}>
            {words.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
        <RoomDemo />
      </div>
    </section>
  );
}
