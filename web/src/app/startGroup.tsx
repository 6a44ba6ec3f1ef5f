import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { keepEntries, type Router, watchEntries } from "@/shared/overlays";
import { language } from "@/shared/text/language";
import { loadText } from "@/shared/text/text";
import { Group } from "./Group";
import { Notices } from "./Notices";
import { holdOpened, type OpenedGroup, openGroup } from "./openedGroup";

/**
 * Draws the group that a tab was opened with. There is no router yet: together with the other pages' parts it is a third
 * of what a group needs before its first message. It comes when another page is needed.
 */
export async function startGroup(container: HTMLElement, id: string) {
  const words = loadText().catch(() => {});
  watchEntries();
  let root: Root | undefined;
  let isLeft = false;

  const open = async () => {
    const [opened] = await Promise.all([openGroup(id), words]);
    if (isLeft) return;
    // The page for those who have no seat is one of the others.
    if (opened.kind !== "room") await follow(() => holdOpened(() => opened));
    else draw(opened);
  };

  /** The other pages take over, at the address that `lead` has led to. */
  const follow = async (lead: () => void) => {
    if (isLeft) return;
    isLeft = true;
    const site = await import("./startSite").catch(() => undefined);
    window.removeEventListener("popstate", arrive);
    lead();
    // Without the code of the other pages, the browser says that there is no network.
    if (!site) return window.location.reload();
    await site.startSite(container, root);
    if (root) document.getElementById("main")?.focus({ preventScroll: true });
  };

  // Overlays have dealt with the entries of this page: this one is another page's.
  const arrive = () => void follow(() => {});
  window.addEventListener("popstate", arrive);

  const draw = ({ start, load }: Extract<OpenedGroup, { kind: "room" }>) => {
    document.documentElement.lang = language();
    // What was hidden because it is different for this visitor is drawn now.
    delete document.documentElement.dataset.known;
    root ??= createRoot(container, {
      onUncaughtError: (failure) => {
        reportError(failure);
        void follow(() =>
          holdOpened(() => {
            throw failure;
          }),
        );
      },
    });
    root.render(
      <StrictMode>
        <Group key={load} start={start} />
        <Notices />
      </StrictMode>,
    );
  };

  const inPlaceOfRouter: Router = {
    state: { location: window.history.state },
    navigate: (to: string, { replace, state }: { replace?: boolean; state?: object }) =>
      follow(() => {
        // As the router keeps them.
        const entry = { usr: state, key: Math.random().toString(36).slice(2, 10), idx: null };
        if (replace) window.history.replaceState(entry, "", to);
        else window.history.pushState(entry, "", to);
      }),
    revalidate: open,
  };
  keepEntries(inPlaceOfRouter);
  await open();
}
