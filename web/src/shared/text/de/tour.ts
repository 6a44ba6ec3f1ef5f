import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import type { TourText } from "../tourText";
import { Seats, seats } from "./numbers";

/** The tour in German. */
export const tour: TourText = {
  title: "Erste Schritte",
  tabsLabel: `Was ${siteName} kann`,
  back: "Zurück",
  next: "Weiter",
  slides: [
    {
      tab: "Verbinden",
      heading: "Ein Link genügt",
      body: "Registriere dich mit einem Benutzernamen und teile den Link, der darauf endet. Freundeskreis, Klasse, Publikum: Wer ihn öffnet, kann dir schreiben.",
    },
    {
      tab: "Eingang",
      heading: "Nachrichten ohne Absender",
      body: "Du siehst live, wie sie ankommen. Neue sind markiert, bis du sie gelesen hast. Und niemand, nicht einmal der Server, kann nachsehen, wer sie geschrieben hat.",
    },
    {
      tab: "Als Bild",
      heading: "Mach ein Bild daraus",
      body: "Mach aus einer Nachricht eine Story oder ein Quadrat, wähle einen Stil und poste deine Antwort darunter.",
    },
    {
      tab: "Gruppen",
      heading: `${Seats} Plätze, ${seats} Emojis`,
      body: `Erstelle eine Gruppe und teile ihren Link. Alle darin sind ein Emoji, und nach ${limit.ROOM_SHORT_LIFETIME_HOURS} oder ${limit.ROOM_LIFETIME_HOURS} Stunden ist sie weg, mit allem, was gesagt wurde.`,
    },
    {
      tab: "Privatsphäre",
      heading: "Nichts führt zurück",
      body: "Kein Absender bei einer Nachricht, keine Metadaten in Fotos, keine Tracker, nichts von anderen Websites.",
    },
  ],
};
