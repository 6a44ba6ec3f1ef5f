import type { Plugin } from "vite";
import { type Cuts, gone, idle, instead, never, slim } from "./cut.ts";

const REACT_DOM = /\/react-dom\/cjs\/react-dom-client\.production\.js$/;

/**
 * What the app never uses of React's DOM renderer, which comes in one piece. Nobody draws a `<ViewTransition>`, a
 * `<link>`, `<meta>` or `<script>`, points a ref at a fragment or takes over a page that a server drew.
 */
export const UNUSED: Cuts = {
  "Transitions between views": [
    never(/\bshouldStartViewTransition(?=\n +\?)/),
    never(/(?<=^ {2}committedLanes = )\(committedLanes & \d+\) === committedLanes(?=;$)/m),
    never(/\binUpdateViewTransition(?= &&)/g),
    idle("restoreNestedViewTransitions"),
    idle("restoreEnterOrExitViewTransitions"),
  ],
  "Pages that a server drew": [
    gone(/^exports\.hydrateRoot = [\s\S]*?\n\};$/m),
    gone(/^ReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration = [\s\S]*?\n\};$/m),
    never(/\bisHydrating(?=\)| (?:&&|\|\||\?)|\n +[?&])|(?<== )isHydrating(?=;)/g),
    idle("popHydrationState", "false"),
    idle("updateDehydratedSuspenseComponent", "null"),
    idle("commitActivityHydrationCallbacks"),
    idle("commitSuspenseHydrationCallbacks"),
    idle("clearHydrationBoundary"),
    idle("retryIfBlockedOn"),
    idle("queueIfContinuousEvent", "false"),
    idle("clearIfContinuousEvent"),
    instead(
      "dispatchEvent",
      "_enabled && (findInstanceBlockingEvent(nativeEvent), dispatchEventForPluginEventSystem(domEventName, eventSystemFlags, nativeEvent, return_targetInst, targetContainer));",
    ),
  ],
  "What stands in the head of a page": [
    idle("isHostHoistableType", "false"),
    idle("getResource", "null"),
    idle("acquireResource", "null"),
    idle("suspendResource"),
    idle("mountHoistable"),
    idle("createHoistableInstance"),
    idle("preload"),
    idle("preloadModule"),
    idle("preinitStyle"),
    idle("preinitScript"),
    idle("preinitModuleScript"),
    idle("preconnectAs"),
  ],
  "Refs that point at a fragment": [
    { pattern: /\bnew FragmentInstance\(current\)/, replacement: "null" },
    gone(/^FragmentInstance\.prototype\.\w+ = [\s\S]*?\n\};$/gm),
    idle("commitNewChildToFragmentInstance"),
    idle("deleteChildFromFragmentInstance"),
  ],
};

export function slimReact(): Plugin {
  return {
    name: "slim-react",
    apply: "build",
    transform: {
      filter: { id: REACT_DOM },
      handler: (code) => ({ code: slim(code, UNUSED), map: null }),
    },
  };
}
