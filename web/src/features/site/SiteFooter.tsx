import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { LanguageSwitch, ThemeSwitch } from "@/shared/ui/switches";
import styles from "./SiteFooter.module.css";

export function SiteFooter() {
  const links = [
    { to: paths.getStarted, words: text.footer.tour },
    { to: paths.about, words: text.footer.about },
    { to: paths.blog, words: text.footer.blog },
    { to: paths.feedback, words: text.footer.feedback },
    { to: paths.report, words: text.footer.report },
    { to: paths.terms, words: text.footer.terms },
    { to: paths.privacy, words: text.footer.privacy },
  ];
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <nav aria-label={text.footer.label}>
          <ul className={styles.links}>
            {links.map(({ to, words }) => (
              <li key={to}>
                <Link className={styles.link} to={to}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className={styles.promise}>{text.footer.promise}</p>
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </footer>
  );
}
