import * as limit from "@/shared/contract/limits";
import type { SignInsText } from "../signInsText";

export const signIns: SignInsText = {
  title: "Wo du angemeldet bist",
  body: `Jede endet nach ${limit.TOKEN_LIFETIME_SECONDS / 3600} Stunden. Gespeichert werden nur der Browser und die Tage, nicht wo das war.`,
  program: (browser, system) => {
    if (!browser) return system ? `Ein Browser auf ${system}` : "Eine App";
    return system ? `${browser} auf ${system}` : browser;
  },
  here: "Dieser Browser",
  since: (began) => `Seit ${began}`,
  used: (began, used) => `Seit ${began}, zuletzt genutzt ${used}`,
  isNew: "Neu",
  end: "Abmelden",
  endOf: (program) => `Abmelden: ${program}`,
  ended: "Dort abgemeldet",
  endOthers: "Überall sonst abmelden",
  endedOthers: "Überall sonst abgemeldet",
  asks: {
    heading: "Warst du das?",
    body: (program, day) => `${program} hat sich am ${day} in deinem Konto angemeldet.`,
    yes: "Ja, das war ich",
    no: "Nein",
    noMore: "Abgemeldet. Wähle jetzt ein neues Passwort, denn jemand kennt deins.",
  },
};
