import { Link, useLocation } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { Icon } from "@/shared/ui/icons";
import { Logo } from "@/shared/ui/Logo";
import { isSignedIn, StartLink } from "@/shared/ui/StartLink";
import { AnswersMark } from "./AnswersMark";
import styles from "./Header.module.css";

export function SiteHeader() {
  const { pathname } = useLocation();
  const links = [
    { to: paths.blog, words: text.footer.blog },
    { to: paths.about, words: text.footer.about },
    { to: paths.feedback, words: text.footer.feedback },
    ...(isSignedIn() ? [] : [{ to: paths.login, words: text.actions.signIn, "data-stranger": true }]),
  ];
  return (
    <header className={styles.header} data-site-header>
      <Logo />
      <AnswersMark isShort />
      <nav aria-label={text.header.label} className={styles.nav}>
        <button
          aria-label={text.header.menu}
          className={styles.menu}
          popoverTarget="site-links"
          type="button"
        >
          <Icon name="more" />
        </button>
        {/* Each page has a menu of its own, which begins closed. */}
        <ul className={styles.links} id="site-links" key={pathname} popover="auto">
          {links.map(({ words, to, ...rest }) => (
            <li key={to}>
              <Link
                {...rest}
                aria-current={pathname === to ? "page" : undefined}
                className={styles.link}
                to={to}
              >
                {words}
              </Link>
            </li>
          ))}
        </ul>
        <StartLink />
      </nav>
    </header>
  );
}
