import type { RouteObject } from "react-router-dom";
import { UnexpectedError } from "@/features/site/pages/UnexpectedError";
import { paths } from "@/shared/paths";
import { Loader } from "@/shared/ui/Loader";
import { PublicLayout } from "./PublicLayout";

const landing = () => import("./routes/landing");
const beingBuilt = () => import("./routes/beingBuilt");

/** The route table. A page's code is loaded when it is first visited. */
export const routes: RouteObject[] = [
  {
    Component: PublicLayout,
    // Not lazy: it may have to say that a page's code couldn't be loaded.
    ErrorBoundary: UnexpectedError,
    HydrateFallback: () => <Loader kind="wheel" />,
    children: [
      { path: paths.landing, lazy: landing },
      { path: paths.index, lazy: landing },
      { path: paths.getStarted, lazy: beingBuilt },
      { path: paths.about, lazy: () => import("./routes/about") },
      { path: paths.blog, lazy: () => import("./routes/blog") },
      { path: paths.terms, lazy: () => import("./routes/terms") },
      { path: paths.privacy, lazy: () => import("./routes/privacy") },
      { path: paths.login, lazy: beingBuilt },
      { path: paths.signup, lazy: beingBuilt },
      { path: paths.reset, lazy: beingBuilt },
      { path: paths.resetConfirm, lazy: beingBuilt },
      { path: paths.feedback, lazy: beingBuilt },
      { path: paths.home, lazy: beingBuilt },
      { path: paths.roomNew, lazy: beingBuilt },
      { path: paths.room, lazy: beingBuilt },
      { path: paths.settings, lazy: beingBuilt },
      { path: paths.expired, lazy: () => import("./routes/expired") },
      { path: paths.roomFull, lazy: () => import("./routes/roomFull") },
      { path: paths.error, lazy: () => import("./routes/error") },
      { path: paths.user, lazy: beingBuilt },
    ],
  },
];
