import { Link, useLocation } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { Icon } from "@/shared/ui/icons";
import { Logo } from "@/shared/ui/Logo";
import { AnswersMark } from "./AnswersMark";
import styles from "./Header.module.css";

/** The header of pages with one task: the logo, and, if somebody is signed in, a link to the settings. */
export function PlainHeader({ toSettings = false }: { toSettings?: boolean }) {
  const words = appText.settings.title;
  const { pathname } = useLocation();
  return (
    <header className={styles.header}>
      <Logo />
      <AnswersMark />
      {toSettings && (
        <Link
          aria-current={pathname === paths.settings ? "page" : undefined}
          aria-label={words}
          className={styles.settings}
          title={words}
          to={paths.settings}
        >
          <Icon name="gear" size={26} />
        </Link>
      )}
    </header>
  );
}
