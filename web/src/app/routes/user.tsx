import { useEffect } from "react";
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useParams } from "react-router-dom";
import { NotePage } from "@/features/note/NotePage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { SiteFooter } from "@/features/site/SiteFooter";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = {
  title: () => appText.note.title(decodeURIComponent(window.location.pathname.slice(1))),
};

/** Looks up where a note to this person goes. */
export async function loader({ params }: LoaderFunctionArgs) {
  try {
    const { message } = await api("get", "/api/annon/{username}", {
      params: { username: params.username ?? "" },
    });
    return { target: message };
  } catch (failure) {
    return { message: failureText(failure, appText.note.noSuchUser) };
  }
}

export function Component() {
  const found = useLoaderData<typeof loader>();
  const { username = "" } = useParams();
  const navigate = useNavigate();

  useEffect(() => {
    // In the state and not in the address: nobody can make a link to that page that says what they like.
    if (found.message !== undefined)
      navigate(paths.error, { replace: true, state: { message: found.message } });
  }, [found, navigate]);

  if (found.target === undefined) return null;
  return (
    <Frame footer={<SiteFooter />} header={<PlainHeader />}>
      <NotePage key={username} target={found.target} username={username} />
    </Frame>
  );
}
