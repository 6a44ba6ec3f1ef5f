import { useState } from "react";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { tourText } from "@/shared/text/tourText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ButtonLink } from "@/shared/ui/links";
import { NeedsScripts } from "@/shared/ui/NeedsScripts";
import { ACROSS, rove } from "@/shared/ui/rove";
import { StartLink } from "@/shared/ui/StartLink";
import { useSwipe } from "@/shared/ui/swipe";
import { ThemeSwitch } from "@/shared/ui/switches";
import styles from "./GetStartedPage.module.css";

/** The colour of each slide, and its emoji. */
const LOOKS = [
  ["hot", "🔗", "👋", "🎓"],
  ["sun", "💌", "👀", "🦉"],
  ["sky", "📸", "🖼️", "✨"],
  ["lilac", "🦊", "🐙", "🌵"],
  ["mint", "🤫", "🔑", "🧽"],
];

/** What Annon does, in slides. One moves with the tabs, arrow keys, swipes, or the buttons below. */
export function GetStartedPage() {
  const words = tourText;
  const [at, setAt] = useState(0);
  const count = words.slides.length;
  const [tone, ...emojis] = LOOKS[at] ?? [];
  const swipe = useSwipe(at, count, setAt);

  return (
    <div className={styles.page} {...swipe}>
      <h1 className="visually-hidden">{words.title}</h1>
      <div className={styles.top}>
        <div
          aria-label={words.tabsLabel}
          className={styles.list}
          data-scripted
          onKeyDown={(event) => rove(event, "tab", ACROSS)}
          role="tablist"
        >
          {words.slides.map(({ tab }, index) => (
            <button
              aria-controls={index === at ? "slide" : undefined}
              aria-label={tab}
              aria-selected={index === at}
              className={styles.tab}
              id={`slide-tab-${index}`}
              key={tab}
              onClick={() => setAt(index)}
              onFocus={() => setAt(index)}
              role="tab"
              tabIndex={index === at ? 0 : -1}
              type="button"
            >
              <span>{tab}</span>
            </button>
          ))}
        </div>
        <ThemeSwitch />
      </div>
      <div
        aria-labelledby={`slide-tab-${at}`}
        className={styles.slide}
        data-tone={tone}
        id="slide"
        key={at}
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the Tab key leads from a tab to its panel
        tabIndex={0}
      >
        <div className={styles.emojis}>
          {emojis.map((emoji) => (
            <EmojiDisc className={styles.emoji} emoji={emoji} key={emoji} size="l" />
          ))}
        </div>
        {/* The words of all slides are there, so that each slide is as high as the highest. One is visible. */}
        <div className={styles.deck}>
          {words.slides.map(({ heading, body }, index) => (
            <div className={styles.words} data-shown={index === at || undefined} key={heading}>
              <h2 className={styles.heading}>{heading}</h2>
              <p>{body}</p>
            </div>
          ))}
        </div>
      </div>
      <NeedsScripts why="tour">
        <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
      </NeedsScripts>
      <div className={styles.actions} data-scripted>
        <Button disabled={at === 0} onClick={() => setAt(at - 1)}>
          {words.back}
        </Button>
        {at < count - 1 ? (
          <Button kind="hot" onClick={() => setAt(at + 1)}>
            {words.next}
          </Button>
        ) : (
          <StartLink />
        )}
      </div>
    </div>
  );
}
