import { useEffect } from "react";
import { useLoaderData, useNavigate, useParams } from "react-router-dom";
import type { lookUpRecipient } from "@/features/note/lookUpRecipient";
import { NotePage } from "@/features/note/NotePage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { SiteFooter } from "@/features/site/SiteFooter";
import { isTrouble } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = {
  // If it can't be decoded, the router leaves the parameter encoded.
  title: (_, { username = "" }) => appText.note.title(username),
};

export function Component() {
  const found = useLoaderData<typeof lookUpRecipient>();
  const { username = "" } = useParams();
  const navigate = useNavigate();

  useEffect(() => {
    // The text is in the history state and not in the address, so that nobody can make a link that shows other words
    // on that page.
    if (found.target !== undefined) return;
    const trouble = isTrouble(found.failure);
    const message = failureText(found.failure, trouble ? undefined : appText.codes.no_such_person);
    const from = trouble ? `/${encodeURIComponent(username)}` : undefined;
    navigate(paths.error, { replace: true, state: { message, from } });
  }, [found, username, navigate]);

  if (found.target === undefined) return null;
  return (
    <Frame footer={<SiteFooter />} header={<PlainHeader />}>
      <NotePage key={username} target={found.target} username={username} />
    </Frame>
  );
}
