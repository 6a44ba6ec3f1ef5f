import { text } from "@/shared/text/text";
import mark from "./logo.svg";

/** Something is on its way: a spinner inside a control, or a wheel with the logo for a whole screen. */
export function Loader({ kind }: { kind: "spinner" | "wheel" }) {
  return (
    <div className={`loader ${kind}`} role="status">
      <span className="ring" />
      {kind === "wheel" && <img alt="" height={68} src={mark} width={68} />}
      <span className="visually-hidden">{text.loading}</span>
    </div>
  );
}
