import { type ReactNode, useState } from "react";
import { pointsOf } from "@/shared/addresses";
import { forgetHand } from "@/shared/hand";
import { rowsOf } from "@/shared/kept";
import type { Post, Reading } from "@/shared/text/en/reading";
import { reading } from "@/shared/text/reading";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./ReadingPage.module.css";

const POINT = /^-[+-]? /;

/** A page to be read from top to bottom: about, privacy, terms. */
export function ReadingPage({ reading, children }: { reading: Reading; children?: ReactNode }) {
  return (
    <article className={styles.page}>
      <h1 className={styles.title}>{reading.title}</h1>
      <p className={styles.lead}>{reading.lead}</p>
      <div className={styles.sheet}>
        {reading.sections.map(([heading, ...texts]) => (
          <section className={styles.section} key={heading}>
            <h2 className={styles.heading}>{heading}</h2>
            {texts.map((text) => !POINT.test(text) && <p key={text}>{text}</p>)}
            {texts.some((text) => POINT.test(text)) && (
              <ul className={styles.points}>
                {pointsOf(texts.filter((text) => POINT.test(text))).map(({ text, where }) => (
                  <li data-where-addresses-are={where} key={text}>
                    {text.replace(POINT, "")}
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
        {children}
      </div>
    </article>
  );
}

/** What is kept, and how long: with the numbers of the contract and of the operator. */
export function HowLong() {
  const { heading, what, long, rows } = reading.kept;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{heading}</h2>
      <table className={styles.kept}>
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col">{long}</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(rows).map(([thing, time, where]) => (
            <tr data-kept={where} key={`${thing} ${where}`}>
              <th scope="row">{thing}</th>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Has this browser's tags be others from now on. It works with scripts only, as the tags do. */
export function ForgetMe() {
  const words = reading.forgetMe;
  const [isDone, setDone] = useState(false);
  return (
    <section className={styles.section} data-scripted>
      <h2 className={styles.heading}>{words.heading}</h2>
      <p>{words.body}</p>
      <Button
        onClick={() => {
          forgetHand();
          setDone(true);
        }}
      >
        {words.action}
      </Button>
      <p role="status">{isDone && words.done}</p>
    </section>
  );
}

const EMOJIS: Record<string, string> = { launch: "🚪", "before-launch": "✂️" };

export function BlogPage() {
  return (
    <div className={styles.blog}>
      <h1 className={styles.title}>{reading.blog.title}</h1>
      <p className={styles.lead}>{reading.blog.lead}</p>
      {reading.blog.posts.map((post) => (
        <BlogPost key={post.id} post={post} />
      ))}
    </div>
  );
}

function BlogPost({ post }: { post: Post }) {
  return (
    <article aria-labelledby={post.id} className={styles.post}>
      <EmojiDisc className={styles.emoji} emoji={EMOJIS[post.id] ?? "📝"} size="l" />
      <p className={styles.kind}>{post.kind}</p>
      <h2 className={styles["post-title"]} id={post.id}>
        {post.title}
      </h2>
      {post.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  );
}
