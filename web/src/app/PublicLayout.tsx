import { Outlet, ScrollRestoration } from "react-router-dom";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { text } from "@/shared/text/text";
import styles from "./PublicLayout.module.css";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import { usePageTitle } from "./usePageTitle";

/** Header, page, footer. */
export function PublicLayout() {
  usePageTitle();
  const main = useFocusOnNavigation();
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#main">
        {text.actions.skipToContent}
      </a>
      <SiteHeader />
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
      <ScrollRestoration />
    </div>
  );
}
