import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import { NoticePage } from "./NoticePage";

/** What the navigation's state may have. */
type Known = {
  message?: string;
  /** Whose page it was. */
  name?: string;
  /** An address to try again. */
  from?: string;
  /** It may only be the network: the page tries again by itself when that is back. */
  retries?: boolean;
};

export function ErrorPage() {
  const { message = text.error.message, name, from, retries = false }: Known = useLocation().state ?? {};
  const navigate = useNavigate();

  useEffect(() => {
    if (from === undefined || !retries) return undefined;
    const again = () => void navigate(from, { replace: true });
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [from, retries, navigate]);

  return (
    <NoticePage about={name ? { name } : undefined} body={message} emoji="🫠" heading={text.error.heading}>
      {from !== undefined && (
        <ButtonLink kind="hot" replace to={from}>
          {text.actions.retry}
        </ButtonLink>
      )}
      <ButtonLink kind={from === undefined ? "hot" : "plain"} to={paths.login}>
        {text.actions.toLogin}
      </ButtonLink>
    </NoticePage>
  );
}
