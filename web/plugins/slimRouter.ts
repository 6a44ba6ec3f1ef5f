import type { Plugin } from "vite";
import { type Cuts, gone, idle, instead, never, skipped, slim } from "./cut.ts";

const ROUTER_MODULE = /\/react-router\/dist\/development\/[^/]+\.mjs$/;

/**
 * What the app never uses of React Router and a bundler can't see. A feature is cut off where it begins; what only it
 * needs is then dropped with all other dead code.
 */
export const UNUSED: Cuts = {
  "Warnings for developers, which its one published build has on": [
    { pattern: /var ENABLE_DEV_WARNINGS = true;/, replacement: "var ENABLE_DEV_WARNINGS = false;" },
    gone(/^\w+\.displayName = "\w+";$/gm),
    { pattern: /= (React\d*\.forwardRef\()/g, replacement: "= /* @__PURE__ */ $1" },
    {
      pattern: /^function (?=warning\(|warningOnce\(|warnOnce\()/gm,
      replacement: "/* @__NO_SIDE_EFFECTS__ */ function ",
    },
    {
      pattern:
        /^( *)invariant\(\n((?:(?!\n\1\);)[\s\S])*?),\n(?: *\/\/.*\n)* *(?:`[^`]*`|"[^"]*"|getInvalidPathError\(.*\))\n\1\);/gm,
      replacement: "$1invariant($2);",
    },
    {
      pattern: /\binvariant\((.+), (?:`[^`\n]*`|"[^"\n]*"|getDataRouterConsoleError\d?\(\w+\))\);/g,
      replacement: "invariant($1);",
    },
  ],
  "A page for errors when there is none": [gone(/ \|\| defaultErrorElement\b/)],
  "What its framework mode and a server that renders need": [
    never(/\bshouldPrefetch && !isAbsolute\b/g),
    idle("usePrefetchBehavior", "[false, null, {}]"),
    never(/\b(?:init|opts\?)\.instrumentations(?=\) \{)/g),
    { pattern: /\binit\.hydrationData\b/g, replacement: "undefined" },
    { pattern: /opts\?\.hydrationData \|\| parseHydrationData\(\)/g, replacement: "void 0" },
    { pattern: /!remixContext \|\| remixContext\.isSpaMode/g, replacement: "true" },
    never(/\bthis\.context\b/g),
  ],
  "Actions of routes": [
    never(/(?<!function )\bisMutationMethod\([\w.]+\)/g),
    { pattern: /!opts \|\| !isSubmissionNavigation\(opts\)/, replacement: "true" },
    never(/\bopts && opts\.pendingError\b/),
    never(/\bpendingActionResult(?= (?:&&|\?) )/g),
    { pattern: /(?<!function )\bgetActionDataForCommit\(pendingActionResult\)/g, replacement: "{}" },
    { pattern: /(?<!function )\bgetUpdatedActionData\(pendingActionResult\)/g, replacement: "void 0" },
  ],
  Fetchers: [
    instead(
      "callLoadersAndMaybeResolveData",
      "return { loaderResults: await callDataStrategy(request, location, matches, scopedContext, null), fetcherResults: {} };",
    ),
    idle("getSubmissionFromNavigation"),
    gone(/^ {4}(?:fetch: fetch2|getFetcher|resetFetcher|deleteFetcher: queueFetcherForDeletion),$/gm),
    skipped(/\bfetchLoadMatches\.forEach\(/g),
    skipped(
      /^ +(?:revalidatingFetchers\.(?:forEach|filter)|(?:state\.fetchers|fetchersQueuedForDeletion|unmountedFetchers|mountedFetchers)\.forEach)\(/gm,
    ),
    never(/\brevalidatingFetchers\.length > 0/g),
    idle("markFetchRedirectsDone"),
    idle("abortStaleFetchLoads"),
  ],
  "Blockers of navigation": [
    gone(/^ {4}(?:getBlocker|deleteBlocker),$/gm),
    idle("shouldBlockNavigation"),
    never(/\bblockerKey && delta != null|(?<=if \()blockerKey(?=\))/g),
  ],
  "Routes that are discovered, replaced or taken apart": [
    {
      pattern:
        /^ {4}(?:dispose|patchRoutes|_internalSetRoutes|_internalFetchControllers: fetchControllers),$/gm,
      replacement: "",
    },
    gone(/^ {4}_internalSetStateDoNotUseOrYouWillBreakYourApp\(newState\) \{\n.*\n {4}\}$/m),
    idle("checkFogOfWar"),
    gone(/\bfogOfWar\.active = false;/g),
    never(/\bfogOfWar\.active(?: && fogOfWar\.matches)?|(?<=if \(!?)isFogOfWar(?=\))/g),
    gone(/__privateGet\(this, _hmr(?:Routes|Branches)\) \?\? /g),
    gone(/^ {2}(?:setRoutes|setHmrRoutes|commitHmrRoutes)\([\s\S]*?\n {2}\}$/gm),
    gone(/\bdataRoutes\.commitHmrRoutes\(\);/g),
    { pattern: /typeof route\.lazy === "function"(?=\) \{)/, replacement: "true" },
  ],
  "Transitions between pages": [
    { pattern: /!viewTransitionOpts \|\| !isViewTransitionAvailable/, replacement: "true" },
    gone(/\brestoreAppliedTransitions\(routerWindow, appliedViewTransitions\);/),
    { pattern: /\bpersistAppliedTransitions\(routerWindow, appliedViewTransitions\)/, replacement: "void 0" },
    never(
      /\bpendingAction === "POP" \/\* Pop \*\/ && !isUninterruptedRevalidation && location !== state\.location|(?<=if \()pendingViewTransitionEnabled(?=\))/g,
    ),
    never(/(?<=if \()(?:!?vtContext\.isTransitioning|renderDfd && pendingState)\b[^\n]*(?=\) \{$)/gm),
  ],
  "Optimistic updates": [never(/\buseTransitions === true\b/g), idle("useOptimisticSafe", "[val]")],
  "Middleware and answers of loaders that are no plain data": [
    {
      pattern: /\binit\.dataStrategy \|\| defaultDataStrategyWithMiddleware\b/,
      replacement: "defaultDataStrategy",
    },
    { pattern: /= isStaticHandler \? \(\) => \{/, replacement: "= true ? null : false ? () => {" },
    {
      pattern: /init\.getContext \? await init\.getContext\(\) : new RouterContextProvider\(\)/g,
      replacement: "void 0",
    },
    never(/(?<!function )\bisDataWithResponseInit\(\w+\)/g),
  ],
  "Links that show another address than theirs": [never(/(?<=if \()(?:opts\?\.)?mask(?=\) \{)/g)],
};

export function slimRouter(): Plugin {
  return {
    name: "slim-router",
    apply: "build",
    transform: {
      filter: { id: ROUTER_MODULE },
      handler: (code) => ({ code: slim(code, UNUSED), map: null }),
    },
  };
}
