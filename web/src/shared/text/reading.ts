import { enReading } from "./enReading";
import { language } from "./language";

/** The reading matter in use. */
export const reading = language() === "de" ? (await import("./deReading")).deReading : enReading;
