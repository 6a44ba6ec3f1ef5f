import { lazy, Suspense } from "react";
import { useLoaderData } from "react-router-dom";
import { SettingsPage } from "@/features/account/SettingsPage";
import { NewRoomPage } from "@/features/room/NewRoomPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Loader } from "@/shared/ui/Loader";
import { NeedsScripts } from "@/shared/ui/NeedsScripts";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import { page } from "../usePageTitle";

/** Who knocks at a group that was just made. Only groups that ask first need its code. */
const KnocksInRoom = lazy(async () => ({
  default: (await import("@/features/knock/KnocksInRoom")).KnocksInRoom,
}));

const KnocksHere = ({ id }: { id: string }) => (
  <Suspense>
    <div className="page">
      <KnocksInRoom id={id} />
    </div>
  </Suspense>
);

const seal = async (name: string) => (await import("@/features/chat/sealing/newSealed")).newSealed(name);

const header = <PlainHeader toSettings />;

function HydrateFallback() {
  return (
    <Frame header={header} isFrame>
      <div className="page">
        <NeedsScripts why="account" />
      </div>
      <Loader kind="wheel" />
    </Frame>
  );
}

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
  HydrateFallback,
};

export const roomNew = {
  ...page(
    () => appText.newRoom.title,
    () => (
      <Frame header={header}>
        <NewRoomPage Knocks={KnocksHere} seal={seal} />
      </Frame>
    ),
  ),
  loader: requireAccount,
  HydrateFallback,
  /** Creating a group does not load the account again. */
  shouldRevalidate: () => false,
};
