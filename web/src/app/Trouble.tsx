import { PlainHeader } from "@/features/site/PlainHeader";
import { NoticePage } from "@/features/site/pages/NoticePage";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { Frame } from "./Frame";
import { useRetry } from "./useRetry";

/** For trouble that says nothing about the group or the conversation. One can try again: what one had is still there. */
export function Trouble({ heading, why }: { heading: string; why: string }) {
  const { retry, isRetrying } = useRetry();
  return (
    <Frame header={<PlainHeader />}>
      <NoticePage body={why} emoji="🔔" heading={heading}>
        <Button busy={isRetrying} kind="hot" onClick={retry}>
          {text.actions.retry}
        </Button>
      </NoticePage>
    </Frame>
  );
}
