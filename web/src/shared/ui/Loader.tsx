import { text } from "@/shared/text/text";
import mark from "./logo.svg";

/**
 * Shows that something is being loaded: a spinner in a control, or a wheel with the logo for a whole screen. A loader
 * that replaces another one continues its turn: `age` is how long ago the first one started, in milliseconds.
 */
export function Loader({ kind, age }: { kind: "spinner" | "wheel"; age?: number }) {
  return (
    <div className={`loader ${kind}`} role="status" style={{ "--age": age } as React.CSSProperties}>
      <span className="ring" />
      {kind === "wheel" && <img alt="" height={68} src={mark} width={68} />}
      <span className="visually-hidden">{text.loading}</span>
    </div>
  );
}
