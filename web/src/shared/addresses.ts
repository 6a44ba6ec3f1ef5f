/** Where a text holds: on sites whose operator keeps addresses, or on the others. */
type Where = "kept" | "not-kept";

const MARK = /^-([+-]) /;
const WHERE: Record<string, Where> = { "+": "kept", "-": "not-kept" };

/**
 * The points of a list that hold on this site. One with "-+ " before it holds only where the operator keeps addresses, and
 * one with "-- " only where not. Pages that are drawn when the app is built have both, each with its mark: the server leaves
 * out those that aren't true of it.
 */
export function pointsOf(texts: string[]): { text: string; where?: Where }[] {
  const points = texts.map((text) => {
    const where = WHERE[MARK.exec(text)?.[1] ?? ""];
    return where ? { text: text.replace(MARK, ""), where } : { text };
  });
  return points.filter(({ where }) => import.meta.env.SSR || !where || where === here());
}

function here(): Where {
  return document.documentElement.dataset.addresses === "kept" ? "kept" : "not-kept";
}
