import { NewGroupPage } from "@/features/room/NewGroupPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import type { PageHandle } from "../usePageTitle";
import { useSignInAgain } from "../useSignInAgain";

export const handle: PageHandle = { title: () => appText.newGroup.title };

export const loader = requireAccount;

/** The group that was just made changes no account. */
export const shouldRevalidate = () => false;

export function Component() {
  const signInAgain = useSignInAgain();
  return (
    <Frame header={<PlainHeader toSettings />}>
      <NewGroupPage onSignedOut={signInAgain} />
    </Frame>
  );
}
