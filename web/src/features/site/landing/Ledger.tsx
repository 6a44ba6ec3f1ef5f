import { Link } from "react-router-dom";
import { pointsOf } from "@/shared/addresses";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import styles from "./Ledger.module.css";

/** What Annon keeps, and what it never does. */
export function Ledger() {
  const words = text.landing.ledger;
  return (
    <section aria-labelledby="ledger-title" className={styles.ledger}>
      <h2 className={styles.title} id="ledger-title">
        {words.title}
      </h2>
      <div className={styles.slips}>
        <Slip kind="kept" lines={words.kept} title={words.keptTitle} />
        <Slip kind="never" lines={words.never} title={words.neverTitle} />
      </div>
      <p>
        <Link className={styles.link} to={paths.privacy}>
          {words.more}
        </Link>
      </p>
    </section>
  );
}

function Slip({ kind, title, lines }: { kind: "kept" | "never"; title: string; lines: string[] }) {
  return (
    <div className={styles.slip} data-kind={kind}>
      <h3>{title}</h3>
      <ul>
        {pointsOf(lines).map(({ text: line, where }) => (
          <li data-where-addresses-are={where} key={line}>
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
