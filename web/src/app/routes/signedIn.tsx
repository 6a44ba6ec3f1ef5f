import { useLoaderData } from "react-router-dom";
import { SettingsPage } from "@/features/account/SettingsPage";
import { NewGroupPage } from "@/features/room/NewGroupPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import { page } from "../usePageTitle";
import { useSignInAgain } from "../useSignInAgain";

function Settings() {
  const user = useLoaderData<typeof requireAccount>();
  const signInAgain = useSignInAgain();
  return (
    <Frame header={<PlainHeader toSettings />}>
      <SettingsPage onSignedOut={signInAgain} user={user} />
    </Frame>
  );
}

function RoomNew() {
  const signInAgain = useSignInAgain();
  return (
    <Frame header={<PlainHeader toSettings />}>
      <NewGroupPage onSignedOut={signInAgain} />
    </Frame>
  );
}

export const settings = { ...page(() => appText.settings.title, Settings), loader: requireAccount };

export const roomNew = {
  ...page(() => appText.newGroup.title, RoomNew),
  loader: requireAccount,
  /** The group that was just made changes no account. */
  shouldRevalidate: () => false,
};
