import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import styles from "./Logo.module.css";
import mark from "./logo.svg";

export function Logo() {
  return (
    <Link className={styles.link} to={paths.home}>
      <img alt={text.product} className={styles.mark} height={68} src={mark} width={68} />
    </Link>
  );
}
