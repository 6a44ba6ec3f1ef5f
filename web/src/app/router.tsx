import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import type { RouteObject } from "react-router-dom";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { lookUp } from "@/features/note/lookUpRecipient";
import { UnexpectedError } from "@/features/site/pages/UnexpectedError";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { paths } from "@/shared/contract/pages";
import { dismissReadOut } from "@/shared/notices";
import { Loader } from "@/shared/ui/Loader";
import { Frame } from "./Frame";
import { Notices } from "./Notices";
import { usePageTitle } from "./usePageTitle";

const landing = () => import("./routes/landing");
const reading = () => import("./routes/reading");
const notices = () => import("./routes/notices");
const account = () => import("./routes/account");
const signedIn = () => import("./routes/signedIn");

export const routes: RouteObject[] = [
  {
    Component: Root,
    // Not lazy: it may have to say that a page's code couldn't be loaded.
    ErrorBoundary: () => (
      <PublicFrame>
        <UnexpectedError />
      </PublicFrame>
    ),
    // Only without the server's page: in the page that was kept for use without a network.
    HydrateFallback: () => <Loader kind="wheel" />,
    children: [
      {
        Component: PublicFrame,
        children: [
          { path: paths.landing, lazy: landing },
          { path: paths.index, lazy: landing },
          { path: paths.about, lazy: async () => (await reading()).about },
          { path: paths.blog, lazy: async () => (await reading()).blog },
          { path: paths.terms, lazy: async () => (await reading()).terms },
          { path: paths.privacy, lazy: async () => (await reading()).privacy },
          { path: paths.imprint, lazy: async () => (await reading()).imprint },
          { path: paths.expired, lazy: async () => (await notices()).expired },
          { path: paths.roomFull, lazy: async () => (await notices()).roomFull },
          { path: paths.error, lazy: async () => (await notices()).error },
          { path: "*", lazy: async () => (await notices()).missing },
        ],
      },
      {
        Component: NoticesLayout,
        children: [
          {
            Component: FormFrame,
            children: [
              { path: paths.login, lazy: async () => (await account()).login },
              { path: paths.signup, lazy: async () => (await account()).signUp },
              { path: paths.reset, lazy: async () => (await account()).reset },
              { path: paths.resetConfirm, lazy: async () => (await account()).resetConfirm },
              { path: paths.confirm, lazy: async () => (await account()).confirm },
              { path: paths.feedback, lazy: async () => (await account()).feedback },
              { path: paths.report, lazy: () => import("./routes/report") },
              { path: paths.verify, lazy: () => import("./routes/verify") },
              { path: paths.mailEnd, lazy: () => import("./routes/mailEnd") },
            ],
          },
          { path: paths.getStarted, lazy: () => import("./routes/getStarted") },
          { path: paths.home, lazy: () => import("./routes/home") },
          { path: paths.room, lazy: () => import("./routes/room") },
          { path: paths.conversation, lazy: () => import("./routes/conversation") },
          { path: paths.roomNew, lazy: async () => (await signedIn()).roomNew },
          { path: paths.settings, lazy: async () => (await signedIn()).settings },
          { path: paths.open, lazy: () => import("./routes/open") },
          { path: paths.answer, lazy: () => import("./routes/answer") },
          {
            path: paths.user,
            loader: lookUp,
            // After a note was sent, the same page is shown by another entry of the history.
            shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
            lazy: () => import("./routes/user"),
          },
        ],
      },
    ],
  },
];

/** One host for all pages that show notices, so that a notice stays when its page is left. */
function NoticesLayout() {
  return (
    <>
      <Outlet />
      <Notices />
    </>
  );
}

type FrameProps = { children?: ReactNode; isForStrangers?: boolean };

function PublicFrame({ children = <Outlet />, isForStrangers }: FrameProps) {
  return (
    <Frame footer={<SiteFooter />} header={<SiteHeader />} isForStrangers={isForStrangers}>
      {children}
    </Frame>
  );
}

/** Somebody who is signed in is led on from some forms. */
function FormFrame() {
  return <PublicFrame isForStrangers />;
}

/** What every page has, in any frame. */
function Root() {
  usePageTitle();
  useNavigated();
  // What was hidden because it is different for this visitor is drawn now.
  useLayoutEffect(() => {
    delete document.documentElement.dataset.known;
  }, []);
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/**
 * After a navigation inside the app this puts the focus on the page's main landmark. Otherwise the focus would stay on
 * a link that may be gone, and a screen reader would say nothing. It also removes the notice of the last page.
 */
function useNavigated() {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const shown = useRef(pathname);
  const leftAt = useRef<number>(undefined);

  useEffect(() => {
    if (state === "loading") leftAt.current = Date.now();
  }, [state]);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById("main");
    // A form has already put the focus on its first field.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
    dismissReadOut(leftAt.current);
    leftAt.current = undefined;
  }, [pathname]);
}
