import { useState } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { OpenHerePage } from "@/features/account/OpenHerePage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { paths } from "@/shared/contract/pages";
import { token } from "@/shared/session/session";
import { keepWanted } from "@/shared/session/wanted";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Loader } from "@/shared/ui/Loader";
import { NeedsScripts } from "@/shared/ui/NeedsScripts";
import { Frame } from "../Frame";
import { requireAccount } from "../requireAccount";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => sealedInboxText.open.title };

/** Who has to sign in first comes back with what stands behind the "#", which the router's request doesn't have. */
export async function loader(args: LoaderFunctionArgs) {
  const { hash } = window.location;
  try {
    return await requireAccount(args);
  } finally {
    if (token() === undefined) keepWanted(paths.open + hash);
  }
}

/** Taking the key changes nothing that the loader knows. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return (
    <Frame header={<PlainHeader toSettings />} isFrame>
      <div className="page">
        <NeedsScripts why="account" />
      </div>
      <Loader kind="wheel" />
    </Frame>
  );
}

/** The key goes out of the address and of the history before anything is asked. */
function takenFromAddress(): string {
  const once = window.location.hash.slice(1);
  window.history.replaceState(window.history.state, "", window.location.pathname);
  return once;
}

export function Component() {
  const { username } = useLoaderData<typeof loader>();
  const [once] = useState(takenFromAddress);
  return (
    <Frame header={<PlainHeader toSettings />}>
      <OpenHerePage once={once} username={username} />
    </Frame>
  );
}
