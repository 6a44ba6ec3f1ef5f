import { text } from "@/shared/text/text";
import mark from "./logo.svg";

/**
 * Something is on its way: a spinner inside a control, or a wheel with the logo for a whole screen. One that takes the
 * place of another goes on with its turn, `age` milliseconds after its start.
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
