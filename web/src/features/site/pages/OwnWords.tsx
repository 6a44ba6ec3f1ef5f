import type { Schemas } from "@/shared/api/api";
import { reading } from "@/shared/text/reading";
import { SiteContact } from "@/shared/ui/SiteContact";
import styles from "./ReadingPage.module.css";

type Words = Schemas["OwnWordsOfPage"]["data"];

/**
 * What the operator adds to a page, and where they can be reached. In the page that is drawn when the app is built, the
 * server puts it in.
 */
export function OwnWords({ words = [] }: { words?: Words | undefined }) {
  return (
    <>
      <section className={styles.section} data-own-words-here>
        <h2 className={styles.heading}>{reading.ownWords}</h2>
        <div className={styles.own}>
          {import.meta.env.SSR
            ? "{own-words}"
            : words.map(({ heading, parts }, at) => {
                const Tag = heading ? "h3" : "p";
                // biome-ignore lint/suspicious/noArrayIndexKey: they never change
                return <Tag key={at}>{parts.map(part)}</Tag>;
              })}
        </div>
      </section>
      <p className={styles.contact} data-site-contact-here>
        {reading.contact} <SiteContact />
      </p>
    </>
  );
}

function part({ text, href }: Words[number]["parts"][number], at: number) {
  return href ? (
    <a href={href} key={at}>
      {text}
    </a>
  ) : (
    text
  );
}
