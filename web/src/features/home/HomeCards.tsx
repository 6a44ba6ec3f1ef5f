import { type ReactNode, useId } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { paths } from "@/shared/contract/pages";
import { signUpLink } from "@/shared/links";
import { useOwnLink } from "@/shared/session/ownSeal";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Icon } from "@/shared/ui/icons";
import { ButtonLink } from "@/shared/ui/links";
import styles from "./cards.module.css";
import { LinkCard, shareOwnLink } from "./LinkCard";

export function HomeCards({ username }: { username: string }) {
  const words = appText.home;
  return (
    <div className={styles.cards}>
      <h1 className={styles.hello}>{words.hello(username)}</h1>
      <LinkCard username={username} />
      <ShareCard username={username} />
      <Card {...words.room} tone="lilac">
        <p aria-hidden="true" className={styles.emojis}>
          {["🦊", "🐙", "🌵", "👻", "🪩"].map((emoji) => (
            <EmojiDisc emoji={emoji} key={emoji} size="s" />
          ))}
        </p>
        <div className={styles.actions}>
          <ButtonLink kind="hot" to={paths.roomNew}>
            {appText.rooms.create}
          </ButtonLink>
        </div>
      </Card>
      <div data-invites>
        <Card {...words.invite} tone="mint">
          <div className={styles.actions}>
            <Button onClick={() => copyAndTell(signUpLink(), words.invite.copied)}>
              <Icon name="copy" /> {words.invite.copy}
            </Button>
          </div>
        </Card>
      </div>
    </div>
  );
}

type CardProps = { title: string; body: string; tone: string; children: ReactNode };

function Card({ title, body, tone, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.card} data-tone={tone}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      <p>{body}</p>
      {children}
    </section>
  );
}

export function ShareCard({ username }: { username: string }) {
  const words = appText.home.share;
  const link = useOwnLink(username);
  const targets = shareTargets(link, words.words);
  return (
    <section aria-labelledby="share-card" className={styles.share}>
      <h2 className={styles.small} id="share-card">
        {words.title}
      </h2>
      <ul className={styles.targets}>
        {(["whatsapp", "messenger", "post"] as const).map((name) => (
          <li key={name}>
            <a className={styles.target} href={targets[name]} rel="noopener noreferrer" target="_blank">
              {words[name]}
            </a>
          </li>
        ))}
        {typeof navigator.share === "function" && (
          <li>
            <button className={styles.target} onClick={() => void shareOwnLink(username)} type="button">
              <Icon name="share" /> {words.more}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Sites on which one can share a link. These are plain addresses, so no script of theirs is loaded. */
export function shareTargets(link: string, words: string) {
  const both = encodeURIComponent(`${words} ${link}`);
  const url = encodeURIComponent(link);
  const text = encodeURIComponent(words);
  return {
    whatsapp: `https://wa.me/?text=${both}`,
    messenger: `https://t.me/share/url?url=${url}&text=${text}`,
    post: `https://x.com/intent/post?text=${text}&url=${url}`,
  };
}
