import { text } from "@/shared/text/text";
import mark from "./logo.svg";

/** Shows that something is being loaded: a spinner in a control, or a wheel with the logo for a whole screen. */
export function Loader({ kind }: { kind: "spinner" | "wheel" }) {
  return (
    <div className={`loader ${kind}`} data-scripted role="status">
      <span className="ring" />
      {kind === "wheel" && <img alt="" height={68} src={mark} width={68} />}
      <span className="visually-hidden">{text.loading}</span>
    </div>
  );
}
