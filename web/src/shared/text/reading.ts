import { enReading } from "./enReading";

/** The reading matter in use. */
export const reading = enReading;
