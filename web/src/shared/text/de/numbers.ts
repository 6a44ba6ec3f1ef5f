import type { numbers as english } from "../en/numbers";

export const numbers: typeof english = {
  names: ["zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn"],
  endings: "te|ergruppe",
};
