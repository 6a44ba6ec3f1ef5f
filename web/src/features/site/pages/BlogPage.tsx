import type { Post } from "@/shared/text/en/reading";
import { reading } from "@/shared/text/reading";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./ReadingPage.module.css";

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
