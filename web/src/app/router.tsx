import type { RouteObject } from "react-router-dom";
import { UnexpectedError } from "@/features/site/pages/UnexpectedError";
import { paths } from "@/shared/paths";
import { Loader } from "@/shared/ui/Loader";
import { lookUpRecipient } from "./lookUpRecipient";
import { NoticesLayout } from "./NoticesLayout";
import { PublicLayout } from "./PublicLayout";
import { Root } from "./Root";

const landing = () => import("./routes/landing");
const reading = () => import("./routes/reading");
const notices = () => import("./routes/notices");
const account = () => import("./routes/account");

/** The route table. A page's code is loaded when it is first visited. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    // Not lazy: it may have to say that a page's code couldn't be loaded.
    ErrorBoundary: UnexpectedError,
    HydrateFallback: () => <Loader kind="wheel" />,
    children: [
      {
        Component: PublicLayout,
        children: [
          { path: paths.landing, lazy: landing },
          { path: paths.index, lazy: landing },
          { path: paths.about, lazy: async () => (await reading()).about },
          { path: paths.blog, lazy: async () => (await reading()).blog },
          { path: paths.terms, lazy: async () => (await reading()).terms },
          { path: paths.privacy, lazy: async () => (await reading()).privacy },
          { path: paths.expired, lazy: async () => (await notices()).expired },
          { path: paths.roomFull, lazy: async () => (await notices()).roomFull },
          { path: paths.error, lazy: async () => (await notices()).error },
        ],
      },
      {
        Component: NoticesLayout,
        children: [
          {
            Component: PublicLayout,
            children: [
              { path: paths.login, lazy: async () => (await account()).login },
              { path: paths.signup, lazy: async () => (await account()).signUp },
              { path: paths.reset, lazy: async () => (await account()).reset },
              { path: paths.resetConfirm, lazy: async () => (await account()).resetConfirm },
              { path: paths.confirm, lazy: async () => (await account()).confirm },
              { path: paths.feedback, lazy: async () => (await account()).feedback },
            ],
          },
          { path: paths.getStarted, lazy: () => import("./routes/getStarted") },
          { path: paths.home, lazy: () => import("./routes/home") },
          { path: paths.room, lazy: () => import("./routes/room") },
          { path: paths.roomNew, lazy: () => import("./routes/roomNew") },
          { path: paths.settings, lazy: () => import("./routes/settings") },
          { path: paths.user, loader: lookUpRecipient, lazy: () => import("./routes/user") },
        ],
      },
    ],
  },
];
