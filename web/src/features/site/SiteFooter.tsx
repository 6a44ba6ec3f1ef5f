import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { siteContact } from "@/shared/siteName";
import { text } from "@/shared/text/text";
import { LanguageSwitch, ThemeSwitch } from "@/shared/ui/switches";
import styles from "./SiteFooter.module.css";

const PAGES = ["getStarted", "about", "blog", "feedback", "report", "terms", "privacy"] as const;

export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <nav aria-label={text.footer.label}>
          <ul className={styles.links}>
            {PAGES.map((page) => (
              <li key={page}>
                <Link className={styles.link} to={paths[page]}>
                  {text.footer[page]}
                </Link>
              </li>
            ))}
            {/* Without an imprint, the server leaves this out of the pages that it has drawn. */}
            {(import.meta.env.SSR || document.documentElement.dataset.imprint) && (
              <li data-imprint-here>
                <Link className={styles.link} to={paths.imprint}>
                  {text.footer.imprint}
                </Link>
              </li>
            )}
            {/* The server puts the operator's address in; where there is none, the styles hide this. */}
            <li data-site-contact-here>
              <a className={styles.link} href={siteContact}>
                {text.footer.contact}
              </a>
            </li>
          </ul>
        </nav>
        <p className={styles.promise}>{text.footer.promise}</p>
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </footer>
  );
}
