import { tour } from "./en/tour";
import { inUse } from "./language";

export type TourText = typeof tour;

const others = import.meta.glob<TourText>(["./*/tour.ts", "!./en/*"], { import: "tour" });

export const tourText = await inUse(tour, others);
