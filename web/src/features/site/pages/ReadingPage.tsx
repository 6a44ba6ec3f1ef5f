import type { Post, Reading } from "@/shared/text/en/reading";
import { reading } from "@/shared/text/reading";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./ReadingPage.module.css";

const POINT = "- ";

/** A page to be read from top to bottom: about, privacy, terms. */
export function ReadingPage({ reading }: { reading: Reading }) {
  return (
    <article className={styles.page}>
      <h1 className={styles.title}>{reading.title}</h1>
      <p className={styles.lead}>{reading.lead}</p>
      <div className={styles.sheet}>
        {reading.sections.map(([heading, ...texts]) => (
          <section className={styles.section} key={heading}>
            <h2 className={styles.heading}>{heading}</h2>
            {texts.map((text) => !text.startsWith(POINT) && <p key={text}>{text}</p>)}
            {texts.some((text) => text.startsWith(POINT)) && (
              <ul className={styles.points}>
                {texts.map(
                  (text) => text.startsWith(POINT) && <li key={text}>{text.slice(POINT.length)}</li>,
                )}
              </ul>
            )}
          </section>
        ))}
      </div>
    </article>
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
