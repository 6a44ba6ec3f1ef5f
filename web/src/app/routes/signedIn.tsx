import { useLoaderData } from "react-router-dom";
import { SettingsPage } from "@/features/account/SettingsPage";
import { NewRoomPage } from "@/features/room/NewRoomPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import { page } from "../usePageTitle";

const header = <PlainHeader toSettings />;

export const settings = {
  ...page(
    () => appText.settings.title,
    () => (
      <Frame header={header}>
        <SettingsPage user={useLoaderData<typeof requireAccount>()} />
      </Frame>
    ),
  ),
  loader: requireAccount,
};

export const roomNew = {
  ...page(
    () => appText.newRoom.title,
    () => (
      <Frame header={header}>
        <NewRoomPage />
      </Frame>
    ),
  ),
  loader: requireAccount,
  /** Creating a group does not load the account again. */
  shouldRevalidate: () => false,
};
