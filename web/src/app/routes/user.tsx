import { lazy, Suspense, useEffect, useState } from "react";
import { useLoaderData, useLocation, useNavigate, useParams } from "react-router-dom";
import type { lookUp } from "@/features/note/lookUpRecipient";
import { isNobodysPage, NOBODY, Nobody } from "@/features/note/Nobody";
import { NotePage, sentAt } from "@/features/note/NotePage";
import { PlainAnswers } from "@/features/note/PlainPage";
import { pinIn } from "@/features/note/useSeal";
import { PlainHeader } from "@/features/site/PlainHeader";
import { SiteFooter } from "@/features/site/SiteFooter";
import { isTrouble } from "@/shared/api/client";
import { USERNAME_MAX, USERNAME_MIN } from "@/shared/contract/limits";
import { paths } from "@/shared/contract/pages";
import { remembersAny } from "@/shared/conversations/kept";
import { cachedAccount, token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { noteText } from "@/shared/text/noteText";
import { formAnswer } from "@/shared/ui/form/formAnswer";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";

const NAME = RegExp(`^[\\w-]{${USERNAME_MIN},${USERNAME_MAX}}$`);

/** Only the owner of a page needs the code of their own view. */
const OwnPage = lazy(async () => ({ default: (await import("@/features/home/OwnPage")).OwnPage }));

const Remembered = lazy(async () => ({ default: (await import("@/features/note/Remembered")).Remembered }));

const AnswerList = lazy(async () => ({
  default: (await import("@/features/answers/AnswerList")).AnswerList,
}));

/** With this query the owner sees their page as others do. */
const AS_OTHERS = "view";

type Found = ReturnType<typeof lookUp>;

export const handle: PageHandle = {
  // If it can't be decoded, the router leaves the parameter encoded.
  title: (search, { username = "" }) =>
    isOwn(username, search) ? noteText.ownPage.title : noteText.title(username),
};

/** Whether the page is shown to its owner, as their own. Upper and lower case are the same. */
function isOwn(username: string, search: URLSearchParams): boolean {
  if (import.meta.env.SSR || search.has(AS_OTHERS) || token() === undefined) return false;
  return cachedAccount()?.user.username.toLowerCase() === username.toLowerCase();
}

export function Component() {
  const { recipient } = useLoaderData() as Found;
  const { username = "" } = useParams();
  const here = useLocation();
  const { search } = here;
  const wasSent = sentAt(here) !== undefined;
  const [answer] = useState(() => formAnswer(search));
  // What the server has said stays on the screen until the app has asked, too.
  const [isNobody, setNobody] = useState(import.meta.env.SSR ? search === NOBODY : isNobodysPage);
  const navigate = useNavigate();

  useEffect(() => {
    let isGone = false;
    void recipient.then((found) => {
      if (found.target !== undefined) setNobody(false);
      // Whoever has sent a note needs the page for its private link.
      if (isGone || wasSent || found.target !== undefined) return;
      const trouble = isTrouble(found.failure);
      const message = failureText(found.failure, trouble ? undefined : appText.codes.no_such_person);
      // With the key that the link names: without it, trying again would take any other one.
      const from = `/${encodeURIComponent(username)}${pinIn(window.location.hash)}`;
      // The text is in the history state and not in the address, so that nobody can make a link that shows other words
      // on that page.
      navigate(paths.error, { replace: true, state: { message, from, name: username, retries: trouble } });
    });
    return () => {
      isGone = true;
    };
  }, [recipient, username, navigate, wasSent]);

  if (isNobody)
    return (
      <Frame answer="nobody" footer={<SiteFooter />} header={<PlainHeader />}>
        <Nobody />
      </Frame>
    );
  // Such an address is nobody's.
  if (!import.meta.env.SSR && !NAME.test(username)) return null;
  if (isOwn(username, new URLSearchParams(search)))
    return (
      <Frame footer={<SiteFooter />} header={<PlainHeader toSettings />}>
        <Suspense>
          <OwnPage asOthers={`?${AS_OTHERS}=others`} username={username} />
        </Suspense>
      </Frame>
    );
  return (
    <Frame
      answer={answer && (answer === "sent" ? answer : "refused")}
      footer={<SiteFooter />}
      header={<PlainHeader />}
      isForStrangers
    >
      <NotePage answer={answer} key={username} recipient={recipient} username={username} />
      <RememberedHere username={username} />
      <AnswersHere key={`answers of ${username}`} recipient={recipient} username={username} />
      <noscript>{import.meta.env.SSR && <PlainAnswers />}</noscript>
    </Frame>
  );
}

/** The notes to this person for which this device awaits an answer. Their list is loaded if there are any. */
function RememberedHere({ username }: { username: string }) {
  const [isKnown, setKnown] = useState(false);
  useEffect(() => setKnown(remembersAny(username)), [username]);
  return (
    <Suspense>
      {isKnown && (
        <div className="page">
          <Remembered to={username} />
        </div>
      )}
    </Suspense>
  );
}

/** What this person has answered in public. Their list is loaded if there is any. */
function AnswersHere({ recipient, username }: Pick<Found, "recipient"> & { username: string }) {
  const [has, setHas] = useState(false);
  useEffect(() => {
    let isGone = false;
    void recipient.then(({ page }) => isGone || setHas(page?.answers ?? false));
    return () => {
      isGone = true;
    };
  }, [recipient]);
  return (
    <Suspense>
      {has && (
        <div className="page">
          <AnswerList username={username} />
        </div>
      )}
    </Suspense>
  );
}
