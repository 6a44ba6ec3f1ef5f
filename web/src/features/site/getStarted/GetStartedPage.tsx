import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { useSwipe } from "@/shared/ui/swipe";
import { ThemeSwitch } from "@/shared/ui/ThemeSwitch";
import styles from "./GetStartedPage.module.css";

const FACES = [
  ["🔗", "👋", "🎓"],
  ["💌", "👀", "🦉"],
  ["📸", "🖼️", "✨"],
  ["🦊", "🐙", "🌵"],
  ["🤫", "🔑", "🧽"],
];

/** What Annon does, in five turns: by tab, by key, by swipe, or with the buttons below. */
export function GetStartedPage() {
  const words = appText.getStarted;
  const [at, setAt] = useState(0);
  const count = words.slides.length;
  const swipe = useSwipe(at, count, setAt);

  return (
    <Tabs.Root className={styles.page} onValueChange={setAt} value={at} {...swipe}>
      <h1 className={styles.hidden}>{words.title}</h1>
      <div className={styles.top}>
        <Tabs.List activateOnFocus aria-label={words.tabsLabel} className={styles.list}>
          {words.slides.map(({ tab }, index) => (
            <Tabs.Tab className={styles.tab} key={tab} value={index}>
              {tab}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ThemeSwitch />
      </div>
      {words.slides.map(({ tab, heading, body }, index) => (
        <Tabs.Panel className={styles.slide} data-tone={index} key={tab} value={index}>
          <div className={styles.faces}>
            {FACES[index]?.map((face) => (
              <EmojiDisc className={styles.face} emoji={face} key={face} size="l" />
            ))}
          </div>
          <div className={styles.words}>
            <h2 className={styles.heading}>{heading}</h2>
            <p>{body}</p>
          </div>
        </Tabs.Panel>
      ))}
      <div className={styles.actions}>
        <Button disabled={at === 0} onClick={() => setAt(at - 1)}>
          {words.back}
        </Button>
        {at < count - 1 ? (
          <Button kind="hot" onClick={() => setAt(at + 1)}>
            {words.next}
          </Button>
        ) : (
          <ButtonLink kind="hot" to={paths.signup}>
            {words.start}
          </ButtonLink>
        )}
      </div>
    </Tabs.Root>
  );
}
