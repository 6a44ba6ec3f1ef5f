import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { api } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { NOTE_MAX, NOTE_MIN } from "@/shared/contract/limits";
import { paths } from "@/shared/contract/pages";
import { tabStorage } from "@/shared/storage";
import { appText } from "@/shared/text/appText";
import { characters, isBlank } from "@/shared/text/characters";
import { ButtonLink } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Check } from "@/shared/ui/form/Check";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import type { FormAnswer } from "@/shared/ui/form/formAnswer";
import { outcome } from "@/shared/ui/form/outcome";
import { Switch } from "@/shared/ui/form/Switch";
import { useForm } from "@/shared/ui/form/useForm";
import { isSignedIn, StartLink } from "@/shared/ui/StartLink";
import type { Recipient } from "./lookUpRecipient";
import styles from "./NotePage.module.css";
import { Prompts } from "./Prompts";
import type { NewConversation } from "./privateLink";
import { useWork } from "./work/useWork";

/** Its code is loaded beside the form: without a network a page that has to load code would load itself anew. */
const hand = () => import("@/shared/hand").catch(() => undefined);

/** The tag of this browser. Without its code a note goes without one. */
const tagFor = async (target: string) => (await hand())?.tagFor(target);

/** Only who asked for an answer needs it. */
const PrivateLink = lazy(async () => ({ default: (await import("./PrivateLinkCard")).PrivateLinkCard }));

/** What was written and not sent is kept for a reload, but not longer than the tab. */
const DRAFT = "annon.note.";

type Props = {
  username: string;
  recipient: Promise<Recipient>;
  /** The page came with an answer to its form, which was sent without scripts. */
  answer?: FormAnswer | undefined;
};

/** The page of a personal link: the form, and after sending, what one can do next. */
export function NotePage(props: Props) {
  const [sent, setSent] = useState<Sent | undefined>(props.answer === "sent" ? {} : undefined);
  if (sent)
    return <AfterSending onAnother={() => setSent(undefined)} sent={sent} username={props.username} />;
  return <NoteForm {...props} onSent={setSent} />;
}

/** A note that was sent. If its sender would like an answer, it has a conversation. */
type Sent = { conversation?: NewConversation };

function NoteForm({ username, recipient, answer, onSent }: Props & { onSent: (sent: Sent) => void }) {
  const words = appText.note;
  const kept = () => ({ message: tabStorage.getItem(DRAFT + username) ?? "" });
  const refused = typeof answer === "object" ? answer : { words: "", why: "" };
  const options = { kept, failure: refused.why };
  const { field, submission } = useForm({ message: refused.words }, checkNote, send, options);
  const box = field("message");
  const [wantsAnswer, setWantsAnswer] = useState(false);
  const canAsk = useCanConverse();
  const page = useFound(recipient);
  /** Until the sender decides, it is as the page's owner has set it up. */
  const [onlyForYou, setOnlyForYou] = useState<boolean>();
  const { withWork, line } = useWork();
  useEffect(() => {
    void hand();
  }, []);
  // A note that is sent again, because no answer came, has the same one.
  const begun = useRef<Promise<NewConversation>>(undefined);

  function write(value: string) {
    box.onValue(value);
    tabStorage.setItem(DRAFT + username, value);
  }

  /** The target changes when its owner renews their link, and this page may have been open since before. */
  async function send({ message }: { message: string }) {
    const conversation = wantsAnswer ? await newConversation() : undefined;
    const asked = conversation && { conversation: { id: conversation.id, proof: conversation.proof } };
    const { target, page, failure } = await recipient;
    if (target === undefined) throw failure;
    const only_for_you = onlyForYou ?? page.only_for_you;
    const sendTo = async (id: string) => {
      const tag = await tagFor(id);
      const json = { id, message: message.trim(), only_for_you, ...asked, ...(tag && { tag }) };
      return withWork((work) => api("post", "/api/annon-message", { json: { ...json, ...work } }));
    };
    try {
      await sendTo(target);
    } catch (failure) {
      const { status, refusal } = failure instanceof ApiFailure ? failure : {};
      // The note did arrive before, and its answer got lost.
      const hasArrived = refusal?.code === "conversation_taken";
      if (status !== 404 && !hasArrived) throw failure;
      if (!hasArrived) {
        const now = await api("get", "/api/annon/{username}", { params: { username } });
        await sendTo(now.message);
      }
    }
    tabStorage.removeItem(DRAFT + username);
    onSent(conversation ? { conversation } : {});
  }

  async function newConversation(): Promise<NewConversation> {
    begun.current ??= import("./privateLink").then(({ newConversation }) => newConversation());
    // If the code couldn't be loaded, it is tried again.
    begun.current.catch(() => {
      begun.current = undefined;
    });
    return begun.current;
  }

  return (
    <PageForm
      colour="sun"
      submission={submission}
      tone="hot"
      words={{ ...words, small: words.small(username) }}
    >
      {page?.paused && (
        <p className={styles.paused} role="status">
          {appText.codes.inbox_paused}
        </p>
      )}
      {page?.line && (
        <p className={styles.line}>
          <bdi>{page.line}</bdi>
        </p>
      )}
      <Field
        {...box}
        autoComplete="off"
        autoFocus
        label={words.words}
        max={NOTE_MAX}
        onValue={write}
        placeholder={words.placeholder}
        rows={6}
      />
      {page && page.prompts.length > 0 && (
        <Prompts message={box.value} onMessage={write} prompts={page.prompts} />
      )}
      <Check
        checked={onlyForYou ?? page?.only_for_you ?? false}
        label={words.onlyForYou.name(username)}
        more={words.onlyForYou.more}
        name="only_for_you"
        onCheck={setOnlyForYou}
      />
      {line}
      {canAsk && <Switch {...words.answer} isOn={wantsAnswer} onChange={setWantsAnswer} />}
    </PageForm>
  );
}

/** A note can only be too short, because the field limits its length. Blanks at its ends do not count. */
export function checkNote({ message }: { message: string }) {
  const isShort = isBlank(message) || characters(message.trim()) < NOTE_MIN;
  return isShort ? { message: appText.codes.note_too_short } : {};
}

const EMOJIS = ["🏷️", "📣", "💌"];

/** Browsers can't derive keys on a page that came without TLS. The drawn page doesn't know that. */
function useCanConverse(): boolean {
  const [can, setCan] = useState(true);
  useEffect(() => setCan(globalThis.crypto?.subtle !== undefined), []);
  return can;
}

/** What the server has said of the page, once it has. */
function useFound(recipient: Promise<Recipient>): Recipient["page"] {
  const [page, setPage] = useState<Recipient["page"]>();
  useEffect(() => {
    let isGone = false;
    void recipient.then((found) => isGone || setPage(found.page));
    return () => {
      isGone = true;
    };
  }, [recipient]);
  return page;
}

type AfterProps = { username: string; sent: Sent; onAnother: () => void };

function AfterSending({ username, sent: { conversation }, onAnother }: AfterProps) {
  const words = appText.note;
  return (
    <div className={styles.page}>
      <EmojiDisc className="put-down" emoji="📮" size="l" />
      <h1 className={styles.heading} {...outcome}>
        {words.sent(username)}
      </h1>
      <Suspense>
        {conversation && <PrivateLink id={conversation.id} secret={conversation.secret} to={username} />}
      </Suspense>
      {isSignedIn() ? (
        <StartLink size="l" />
      ) : (
        <ButtonLink kind="hot" size="l" to={paths.signup}>
          {words.own}
        </ButtonLink>
      )}
      {/* Without scripts it is a link: the page that answers the form has the form's address. */}
      <ButtonLink onClick={onAnother} to={`/${username}`}>
        {words.another}
      </ButtonLink>
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
