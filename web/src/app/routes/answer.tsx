import type { LoaderFunctionArgs } from "react-router-dom";
import { useLoaderData, useParams } from "react-router-dom";
import { AnswerPage } from "@/features/answers/AnswerPage";
import { drawnAnswer, openAnswer } from "@/features/answers/openAnswer";
import { PlainHeader } from "@/features/site/PlainHeader";
import { NoticePage } from "@/features/site/pages/NoticePage";
import { SiteFooter } from "@/features/site/SiteFooter";
import { personalPath } from "@/shared/links";
import { answersText } from "@/shared/text/answersText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { ButtonLink } from "@/shared/ui/links";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";
import { useRetry } from "../useRetry";

export const handle: PageHandle = { title: (_, { username = "" }) => answersText.title(username) };

export async function loader({ params: { username = "", id = "" }, request }: LoaderFunctionArgs) {
  if (import.meta.env.SSR) return drawnAnswer(new URL(request.url).search);
  return openAnswer(username, id);
}

export function Component() {
  const opened = useLoaderData() as Awaited<ReturnType<typeof loader>>;
  const { username = "" } = useParams();
  return (
    // The server's page has the day by its own calendar, so the app draws the page anew.
    <Frame footer={<SiteFooter />} header={<PlainHeader />} isFrame={import.meta.env.SSR || undefined}>
      {opened.kind === "answer" && (
        <AnswerPage answer={opened.answer} key={opened.answer.id} username={username} />
      )}
      {opened.kind === "gone" && (
        <NoticePage {...answersText.gone} emoji="🍃">
          <ButtonLink kind="hot" to={personalPath(username)}>
            {answersText.all(username)}
          </ButtonLink>
        </NoticePage>
      )}
      {opened.kind === "later" && <Later />}
    </Frame>
  );
}

/** What can't be loaded now is tried again by itself. */
function Later() {
  const { retry, isRetrying } = useRetry();
  return (
    <NoticePage {...answersText.later} emoji="🔔">
      <Button busy={isRetrying} data-scripted kind="hot" onClick={retry}>
        {text.actions.retry}
      </Button>
    </NoticePage>
  );
}
