import { useLocation } from "react-router-dom";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { Notice } from "./Notice";

/** Oops. Whoever navigates here may say what happened in the navigation's state. */
export function ErrorPage() {
  const { state } = useLocation();
  return (
    <Notice body={messageOf(state) ?? text.error.message} emoji="🫠" heading={text.error.heading}>
      <ButtonLink kind="hot" to={paths.login}>
        {text.actions.toLogin}
      </ButtonLink>
    </Notice>
  );
}

function messageOf(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || !("message" in state)) return undefined;
  return typeof state.message === "string" && state.message !== "" ? state.message : undefined;
}
