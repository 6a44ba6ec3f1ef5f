import { useLoaderData } from "react-router-dom";
import { SettingsPage } from "@/features/account/SettingsPage";
import { NewGroupPage } from "@/features/room/NewGroupPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import { page } from "../usePageTitle";

function Settings() {
  const user = useLoaderData<typeof requireAccount>();
  return (
    <Frame header={<PlainHeader toSettings />}>
      <SettingsPage user={user} />
    </Frame>
  );
}

function RoomNew() {
  return (
    <Frame header={<PlainHeader toSettings />}>
      <NewGroupPage />
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
