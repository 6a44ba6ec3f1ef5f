import { useEffect } from "react";
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from "react-router-dom";
import { ChatFrame } from "@/features/chat/screen/ChatFrame";
import { PlainHeader } from "@/features/site/PlainHeader";
import { type CameFrom, keptFrom } from "@/features/site/pages/keptFrom";
import { MissingPage } from "@/features/site/pages/MissingPage";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { chatText } from "@/shared/text/chatText";
import { text } from "@/shared/text/text";
import { Frame } from "../Frame";
import { Group } from "../Group";
import { openGroup } from "../openedGroup";
import { Trouble } from "../Trouble";
import type { PageHandle } from "../usePageTitle";

/** The room that was loaded last. The tab shows its name. */
let name: string | undefined;

export const handle: PageHandle = { title: () => name ?? chatText.screen.title };

export async function loader({ params: { roomId = "" } }: LoaderFunctionArgs) {
  const opened = await openGroup(roomId);
  name = opened.kind === "room" ? opened.start.data.name : undefined;
  if (opened.kind === "door") name = opened.room.name;
  if (opened.kind === "missing") name = text.missing.heading;
  return opened;
}

export const HydrateFallback = () => <ChatFrame />;

export function Component() {
  const opened = useLoaderData<typeof loader>();
  // The loader takes another seat, or says why there is none.
  const { revalidate } = useRevalidator();

  if (opened.kind === "missing") {
    return (
      <Frame footer={<SiteFooter />} header={<SiteHeader />}>
        <MissingPage />
      </Frame>
    );
  }
  if (opened.kind === "elsewhere") {
    return <Elsewhere came={opened.came} key={opened.load} to={opened.to} />;
  }
  if (opened.kind === "trouble") return <Trouble heading={chatText.screen.trouble} why={opened.why} />;
  if (opened.kind === "door") {
    return (
      <Frame header={<PlainHeader />}>
        <opened.Door key={opened.load} onLookAgain={revalidate} room={opened.room} />
      </Frame>
    );
  }
  return <Group key={opened.load} start={opened.start} />;
}

/** Leads to the page that says why there is no seat. */
function Elsewhere({ came, to }: { came: CameFrom; to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const state = keptFrom({ ...came, key: window.location.hash.slice(1) });
    void navigate(to, { replace: true, state });
  }, [navigate, to, came]);
  return <HydrateFallback />;
}
