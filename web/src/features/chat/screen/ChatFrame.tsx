import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { text } from "@/shared/text/text";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import { Loader } from "@/shared/ui/Loader";
import { NeedsScripts, type WhyScripts } from "@/shared/ui/NeedsScripts";
import styles from "./ChatScreen.module.css";
import composer from "./composer/Composer.module.css";
import header from "./header/RoomHeader.module.css";

type Props = {
  title?: string;
  why?: WhyScripts;
  /** Whether pictures can be sent. */
  withPhoto?: boolean;
};

/** A chat's screen before anything is known of the chat: where the header and the message box will be. */
export function ChatFrame({ title = chatText.screen.title, why = "group", withPhoto = true }: Props) {
  const words = chatText.screen.composer;
  return (
    <div className={styles.screen} data-frame>
      <div className={styles.above}>
        <div className={styles.top}>
          <header className={header.header}>
            <a
              aria-label={text.actions.toStart}
              className={header.back}
              href={paths.landing}
              title={text.actions.toStart}
            >
              <Icon name="back" />
            </a>
            <div className={header.about}>
              <h1 className={header.name}>{title}</h1>
              <div className={header.state}>
                <span className="soft" data-scripted>
                  {text.loading}…
                </span>
              </div>
            </div>
            <IconButton aria-disabled data-scripted icon="more" label={appText.more} />
          </header>
        </div>
        <main className={styles.main} id="main" tabIndex={-1}>
          {/* In one part, from the top: the page may be drawn before its end has come, and then nothing moves. */}
          <div className="page">
            <NeedsScripts why={why} />
            <Loader kind="wheel" />
          </div>
        </main>
      </div>
      <footer className={composer.composer} data-scripted>
        <div className={composer.form}>
          <div className={composer.box}>
            <textarea
              aria-label={words.label}
              className={composer.field}
              disabled
              placeholder={words.placeholder}
              rows={1}
            />
            {withPhoto && <IconButton aria-disabled icon="picture" label={words.photo} />}
          </div>
          <button aria-disabled aria-label={words.send} className={composer.send} type="button">
            <Icon name="send" size={24} />
          </button>
        </div>
      </footer>
    </div>
  );
}
