import { text } from "@/shared/text/text";
import styles from "./Loader.module.css";
import mark from "./logo.svg";

/** Something is on its way: a spinner inside a control, or a wheel with the logo for a whole screen. */
export function Loader({ kind }: { kind: "spinner" | "wheel" }) {
  return (
    <div className={styles[kind]} role="status">
      <span className={styles.ring} />
      {kind === "wheel" && <img alt="" className={styles.mark} height={68} src={mark} width={68} />}
      <span className="visually-hidden">{text.loading}</span>
    </div>
  );
}
