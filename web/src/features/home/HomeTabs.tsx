import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { ACROSS, rove } from "@/shared/ui/rove";
import { useSwipe } from "@/shared/ui/swipe";
import styles from "./HomeTabs.module.css";

const TABS = ["home", "inbox", "groups"] as const;
type HomeTab = (typeof TABS)[number];

/** Each tab has its own address, so that one can link to it and go back from it. */
function addressOfTab(tab: HomeTab): string {
  return tab === "home" ? paths.home : `${paths.home}?tab=${tab}`;
}

export function tabOf(search: URLSearchParams): HomeTab {
  return TABS.find((known) => known === search.get("tab")) ?? "home";
}

type Props = { panels: Record<HomeTab, ReactNode>; unread?: Partial<Record<HomeTab, number>> };

export function HomeTabs({ panels, unread = {} }: Props) {
  const words = appText.home;
  const navigate = useNavigate();
  const tab = tabOf(new URLSearchParams(useLocation().search));
  const panel = useRef<HTMLDivElement>(null);
  const swipe = useSwipe(
    TABS.indexOf(tab),
    TABS.length,
    (page) => navigate(addressOfTab(TABS[page] ?? "home")),
    panel,
  );

  return (
    <div className={styles.tabs} {...swipe}>
      <div aria-label={words.tabsLabel} className={styles.list} onKeyDown={onKeyDown} role="tablist">
        {TABS.map((name) => (
          <Link
            aria-controls={name === tab ? "home-panel" : undefined}
            aria-selected={name === tab}
            className={styles.tab}
            id={`tab-${name}`}
            key={name}
            role="tab"
            tabIndex={name === tab ? 0 : -1}
            to={addressOfTab(name)}
          >
            {words.tabs[name]}
            <Badge unread={unread[name] ?? 0} />
          </Link>
        ))}
      </div>
      <div
        aria-labelledby={`tab-${tab}`}
        className={styles.panel}
        id="home-panel"
        key={tab}
        ref={panel}
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the Tab key leads from a tab to its panel
        tabIndex={0}
      >
        {panels[tab]}
      </div>
    </div>
  );
}

/** A link reacts only to Enter. A tab has to react to the space bar as well. */
function onKeyDown(event: KeyboardEvent<HTMLElement>) {
  rove(event, "tab", ACROSS);
  if (event.key !== " " || !(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  event.target.click();
}

function Badge({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
      <span className="visually-hidden">{appText.home.unread(unread)}</span>
    </span>
  );
}
