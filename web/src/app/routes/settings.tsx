import { useLoaderData } from "react-router-dom";
import { SettingsPage } from "@/features/account/SettingsPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import type { PageHandle } from "../usePageTitle";
import { useSignInAgain } from "../useSignInAgain";

export const handle: PageHandle = { title: () => appText.settings.title };

export const loader = requireAccount;

export function Component() {
  const user = useLoaderData<typeof loader>();
  const signInAgain = useSignInAgain();
  return (
    <Frame header={<PlainHeader toSettings />}>
      <SettingsPage onSignedOut={signInAgain} user={user} />
    </Frame>
  );
}
