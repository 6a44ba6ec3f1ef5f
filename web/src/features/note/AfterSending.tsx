import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { outcome } from "@/shared/ui/form/outcome";
import { isSignedIn, StartLink } from "@/shared/ui/StartLink";
import styles from "./AfterSending.module.css";

type Props = { username: string; onAnother: () => void };

const EMOJIS = ["🏷️", "📣", "💌"];

export function AfterSending({ username, onAnother }: Props) {
  const words = appText.note;
  return (
    <div className={styles.page}>
      <div className={styles.part}>
        <EmojiDisc className="put-down" emoji="📮" size="l" />
        <h1 className={styles.heading} {...outcome}>
          {words.sent(username)}
        </h1>
      </div>
      <div className={styles.part}>
        {isSignedIn() ? (
          <StartLink size="l" />
        ) : (
          <ButtonLink kind="hot" size="l" to={paths.signup}>
            {words.own}
          </ButtonLink>
        )}
        <Button onClick={onAnother}>{words.another}</Button>
      </div>
      {!isSignedIn() && <HowItWorks />}
    </div>
  );
}

function HowItWorks() {
  const words = appText.note;
  return (
    <section aria-labelledby="next" className={styles.next}>
      <h2 id="next">{words.next.heading}</h2>
      <p>{words.next.body}</p>
      <ol className={styles.steps}>
        {words.next.steps.map((step, index) => (
          <li className={styles.step} key={step.title}>
            <EmojiDisc emoji={EMOJIS[index] ?? "✨"} />
            <div>
              <h3 className={styles.name}>{step.title}</h3>
              <p>{step.body}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
