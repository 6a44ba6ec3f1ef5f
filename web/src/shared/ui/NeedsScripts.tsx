import type { ReactNode } from "react";
import type { scripts } from "@/shared/text/en/scripts";

export type WhyScripts = keyof typeof scripts;

/** Only for the pages that are drawn when the app is built: where the app runs, there is nothing to say. */
const words = import.meta.env.SSR ? (await import("@/shared/text/scriptsText")).scriptsText : undefined;

/** Says why a page needs scripts, where none run. What has `data-scripted` is hidden there. */
export function NeedsScripts({ why, children }: { why: WhyScripts; children?: ReactNode }) {
  return (
    <noscript>
      {words && <p>{words[why]}</p>}
      {children}
    </noscript>
  );
}
