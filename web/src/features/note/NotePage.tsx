import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { isNobody } from "@/shared/api/hasLeft";
import { NOTE_MAX, NOTE_MIN } from "@/shared/contract/limits";
import { paths } from "@/shared/contract/pages";
import { tabStorage } from "@/shared/storage";
import { appText } from "@/shared/text/appText";
import { asked, withQuestion } from "@/shared/text/asked";
import { capped, characters, isBlank } from "@/shared/text/characters";
import { DeviceFailure } from "@/shared/text/failureText";
import { noteText } from "@/shared/text/noteText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import type { FormAnswer } from "@/shared/ui/form/formAnswer";
import { outcome } from "@/shared/ui/form/outcome";
import { Switch } from "@/shared/ui/form/Switch";
import { useForm } from "@/shared/ui/form/useForm";
import { ButtonLink } from "@/shared/ui/links";
import { isSignedIn, StartLink } from "@/shared/ui/StartLink";
import { Unsent } from "@/shared/ui/Unsent";
import type { Recipient } from "./lookUpRecipient";
import styles from "./NotePage.module.css";
import { forgetNoteId, noteIdFor } from "./noteId";
import { PlainOwner } from "./PlainPage";
import { Prompts } from "./Prompts";
import type { NewConversation } from "./privateLink";
import { pinIn, useSeal } from "./useSeal";
import { useWork } from "./work/useWork";

/** Its code is loaded beside the form: without a network a page that has to load code would load itself anew. */
const hand = () => import("@/shared/hand").catch(() => undefined);

/** The tag of this browser. Without its code a note goes without one. */
const tagFor = async (target: string) => (await hand())?.tagFor(target);

/** Only who asked for an answer needs it. */
const PrivateLink = lazy(async () => ({ default: (await import("./PrivateLinkCard")).PrivateLinkCard }));

type Page = Schemas["Recipient"];

/** What was written and not sent is kept for a reload, but not longer than the tab. */
const DRAFT = "annon.note.";

type Props = {
  username: string;
  recipient: Promise<Recipient>;
  /** The page came with an answer to its form, which was sent without scripts. */
  answer?: FormAnswer | undefined;
};

/** The page of a personal link: the form, and after sending, what one can do next. */
export function NotePage({ answer, ...props }: Props) {
  const here = useLocation();
  const navigate = useNavigate();
  const [first] = useState(here.key);
  // The server's answer is to the form with which this page was loaded.
  const answered = here.key === first ? answer : undefined;
  const [sentHere, setSentHere] = useState<string>();
  const found = useFound(props.recipient);
  const isSent = answered === "sent" || sentHere === here.key;
  const sent = sentAt(here) ?? (isSent ? {} : undefined);
  if (sent) return <AfterSending sent={sent} username={props.username} />;

  function onSent(sent: Sent) {
    if (sent.conversation) void navigate(here, { replace: true, state: { sent } });
    else setSentHere(here.key);
  }

  return <NoteForm {...props} {...found} answer={answered} onSent={onSent} />;
}

/** A note that was sent. If its sender would like an answer, it has a conversation, which may be sealed. */
type Sent = { conversation?: NewConversation & { isSealed?: boolean } };

/**
 * A note with a private link, which is kept in the tab's history entry: so the link is still there after a reload, and
 * when one comes back.
 */
export function sentAt({ state }: { state: { sent?: Sent } | null }): Sent | undefined {
  return state?.sent;
}

type FormProps = Props & ReturnType<typeof useFound> & { onSent: (sent: Sent) => void };

function NoteForm({ username, recipient, page, onRenewed, answer, onSent }: FormProps) {
  const words = noteText;
  const kept = () => ({ message: asked(tabStorage.getItem(DRAFT + username) ?? "").words });
  const refused = typeof answer === "object" ? answer : { words: "", why: "" };
  const options = { kept, failure: refused.why };
  const [question, setQuestion] = useState<string>();
  const { field, write, submission } = useForm({ message: refused.words }, check, send, options);
  const box = field("message");
  const whole = (message: string) => (question === undefined ? message : withQuestion(question, message));
  const max = question === undefined ? NOTE_MAX : NOTE_MAX - characters(withQuestion(question, ""));
  const [wantsAnswer, setWantsAnswer] = useState(false);
  const canAsk = useCanConverse();
  const seal = useSeal(username, page);
  /** Until the sender decides, it is as the page's owner has set it up. */
  const [onlyForYou, setOnlyForYou] = useState<boolean>();
  const { withWork, line } = useWork();
  const form = useKeyboardRoom();
  useEffect(() => {
    void hand();
    setQuestion(asked(tabStorage.getItem(DRAFT + username) ?? "").question);
  }, [username]);
  // A note that is sent again, because no answer came, has the same one.
  const begun = useRef<Promise<NewConversation>>(undefined);

  /** A question isn't sent alone. */
  function check({ message }: { message: string }) {
    return checkNote({ message: isBlank(message) ? "" : whole(message) });
  }

  function type(value: string) {
    box.onValue(value);
    tabStorage.setItem(DRAFT + username, whole(value));
  }

  function choose(prompt: string | undefined) {
    const least = prompt === undefined ? 0 : characters(withQuestion(prompt, ""));
    const message = capped(box.value, NOTE_MAX - least);
    setQuestion(prompt);
    write("message", message);
    tabStorage.setItem(DRAFT + username, prompt === undefined ? message : withQuestion(prompt, message));
    form.current?.querySelector("textarea")?.focus();
  }

  /** The target changes when its owner renews their link, and so may the seal. This page may be open since before. */
  async function send({ message }: { message: string }) {
    const conversation = wantsAnswer ? await newConversation() : undefined;
    const wish = conversation && { conversation: { id: conversation.id, proof: conversation.proof } };
    const found = await recipient;
    if (found.target === undefined) throw found.failure;
    const before = page ?? found.page;
    const only_for_you = onlyForYou ?? before.only_for_you;
    const sendTo = async (page: Page) => {
      const { message: id } = page;
      const tag = await tagFor(id);
      const said = { target: id, words: whole(message.trim()), onlyForYou: only_for_you, conversation };
      const sealed = await seal.sealed(page, said);
      const note_id = noteIdFor(username, sealed?.sameness);
      const open = { id, note_id, message: said.words, only_for_you, ...wish, ...(tag && { tag }) };
      const json = { ...open, ...sealed?.json };
      await withWork((work) => api("post", "/api/annon-message", { json: { ...json, ...work } }));
      return sealed !== undefined;
    };
    let isSealed: boolean;
    try {
      isSealed = await sendTo(before);
    } catch (failure) {
      if (!isStale(failure)) throw failure;
      const now = await api("get", "/api/annon/{username}", { params: { username } }).catch(
        (failure: unknown) => {
          // They were there when the page was opened.
          throw isNobody(failure) ? new DeviceFailure(words.left(username)) : failure;
        },
      );
      onRenewed(now);
      await seal.stillSealed(before, now);
      isSealed = await sendTo(now);
    }
    forgetNoteId(username);
    tabStorage.removeItem(DRAFT + username);
    onSent(conversation ? { conversation: { ...conversation, isSealed } } : {});
  }

  async function newConversation(): Promise<NewConversation> {
    begun.current ??= import("./privateLink").then(({ newConversation }) => newConversation());
    // If the code couldn't be loaded, it is tried again.
    begun.current.catch(() => {
      begun.current = undefined;
    });
    return begun.current;
  }

  if (page?.paused) return <PausedPage unsent={box.value && whole(box.value)} username={username} />;
  const { heading, submit, lead } = words;
  return (
    <PageForm
      below={lead}
      colour="sun"
      compact
      submission={submission}
      tone="hot"
      words={{ heading, submit, small: words.small(username) }}
    >
      {page?.line && (
        <p className={styles.line}>
          <bdi>{page.line}</bdi>
        </p>
      )}
      <noscript>{import.meta.env.SSR && <PlainOwner />}</noscript>
      <div className={styles.writing} ref={form}>
        {page && <Prompts chosen={question} onChoose={choose} prompts={page.prompts} />}
        <Field
          {...box}
          autoComplete="off"
          autoFocus
          label={words.words}
          max={max}
          onValue={type}
          placeholder={words.placeholder}
          rows={3}
        />
      </div>
      <Switch
        field="only_for_you"
        isOn={onlyForYou ?? page?.only_for_you ?? false}
        more={words.onlyForYou.more(username)}
        name={words.onlyForYou.name(username)}
        onChange={setOnlyForYou}
      />
      {canAsk && <Switch {...words.answer} isOn={wantsAnswer} onChange={setWantsAnswer} />}
      {seal.line}
      {line}
    </PageForm>
  );
}

/** A note can only be too short, because the field limits its length. Blanks at its ends do not count. */
export function checkNote({ message }: { message: string }) {
  const isShort = isBlank(message) || characters(message.trim()) < NOTE_MIN;
  return isShort ? { message: appText.codes.note_too_short } : {};
}

/** Instead of the form, while the owner takes no notes. What was written before that was known can be copied. */
function PausedPage({ username, unsent }: { username: string; unsent: string }) {
  const words = noteText.paused;
  return (
    <div className={styles.page}>
      <EmojiDisc className="put-down" emoji="🌙" size="l" />
      <h1 className={styles.heading}>
        <span className={styles.whose}>{username}</span> {words.heading}
      </h1>
      <p role="status">{appText.codes.inbox_paused}</p>
      <p>{words.body}</p>
      {unsent && <Unsent words={unsent} />}
      {!isSignedIn() && <ButtonLink to={paths.signup}>{noteText.own}</ButtonLink>}
    </div>
  );
}

/** A phone's keyboard may cover the button that sends: it comes into view with the field that is written in. */
function useKeyboardRoom() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = window.visualViewport;
    const show = () => {
      const form = place.current?.closest("form");
      if (!form?.contains(document.activeElement)) return;
      form.querySelector("[type=submit]")?.scrollIntoView({ block: "nearest" });
    };
    view?.addEventListener("resize", show);
    return () => view?.removeEventListener("resize", show);
  }, []);
  return place;
}

const EMOJIS = ["🏷️", "📣", "💌"];

/** Browsers can't derive keys on a page that came without TLS. The drawn page doesn't know that. */
function useCanConverse(): boolean {
  const [can, setCan] = useState(true);
  useEffect(() => setCan(globalThis.crypto?.subtle !== undefined), []);
  return can;
}

/** Whether the page has another target or seal now than when it was opened. */
function isStale(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return false;
  const { code } = failure.refusal;
  return failure.status === 404 || code === "seal_changed" || code === "seal_needed";
}

/** What the server has said of the page, once it has: last, if it was asked again. */
function useFound(recipient: Promise<Recipient>) {
  const [found, setFound] = useState<Page>();
  useEffect(() => {
    let isGone = false;
    void recipient.then((found) => isGone || setFound(found.page));
    return () => {
      isGone = true;
    };
  }, [recipient]);
  return { page: found, onRenewed: setFound };
}

function AfterSending({ username, sent: { conversation } }: { username: string; sent: Sent }) {
  const words = noteText;
  // The next note is for the same key.
  const pin = pinIn(useLocation().hash);
  return (
    <div className={styles.page}>
      <EmojiDisc className="put-down" emoji="📮" size="l" />
      <h1 className={styles.heading} {...outcome}>
        {words.sent(username)}
      </h1>
      <Suspense>{conversation && <PrivateLink {...conversation} to={username} />}</Suspense>
      {isSignedIn() ? (
        <StartLink size="l" />
      ) : (
        <ButtonLink kind="hot" size="l" to={paths.signup}>
          {words.own}
        </ButtonLink>
      )}
      <ButtonLink to={`/${username}${pin}`}>{words.another}</ButtonLink>
      {!isSignedIn() && <HowItWorks />}
    </div>
  );
}

function HowItWorks() {
  const words = noteText;
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
