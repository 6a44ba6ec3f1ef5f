import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/Button";
import { NoticePage } from "./NoticePage";

/**
 * The error page. The navigation's state may have a message, and an address to try again; the page tries it by itself
 * when the network is back.
 */
export function ErrorPage() {
  const { message = text.error.message, from }: { message?: string; from?: string } =
    useLocation().state ?? {};
  const navigate = useNavigate();

  useEffect(() => {
    if (from === undefined) return undefined;
    const again = () => void navigate(from, { replace: true });
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [from, navigate]);

  return (
    <NoticePage body={message} emoji="🫠" heading={text.error.heading}>
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
