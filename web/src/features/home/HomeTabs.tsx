import { Tabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { useSwipe } from "@/shared/ui/swipe";
import styles from "./HomeTabs.module.css";

const TABS = ["home", "inbox", "groups"] as const;
export type HomeTab = (typeof TABS)[number];

/** Each tab has an address of its own, so that it can be linked to and the back button works. */
export function addressOfTab(tab: HomeTab): string {
  return tab === "home" ? paths.home : `${paths.home}?tab=${tab}`;
}

type Props = { unread: number; panels: Record<HomeTab, ReactNode> };

export function HomeTabs({ unread, panels }: Props) {
  const words = appText.home;
  const navigate = useNavigate();
  const asked = new URLSearchParams(useLocation().search).get("tab");
  const tab = TABS.find((known) => known === asked) ?? "home";
  const swipe = useSwipe(TABS.indexOf(tab), TABS.length, (page) =>
    navigate(addressOfTab(TABS[page] ?? "home")),
  );

  return (
    <Tabs.Root className={styles.tabs} value={tab} {...swipe}>
      <Tabs.List aria-label={words.tabsLabel} className={styles.list}>
        {TABS.map((name) => (
          <Tabs.Tab
            className={styles.tab}
            key={name}
            nativeButton={false}
            render={<Link to={addressOfTab(name)} />}
            value={name}
          >
            {words.tabs[name]}
            {name === "inbox" && unread > 0 && <Badge unread={unread} />}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((name) => (
        <Tabs.Panel className={styles.panel} key={name} value={name}>
          {panels[name]}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function Badge({ unread }: { unread: number }) {
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
      <span className={styles.hidden}>{appText.home.unread(unread)}</span>
    </span>
  );
}
