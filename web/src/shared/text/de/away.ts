import type { AwayText } from "../awayText";

export const away: AwayText = {
  roomDeleted: {
    title: "Gruppe gelöscht",
    text: "Diese Gruppe wurde gelöscht",
    body: "Wer sie erstellt hat, hat sie gelöscht. Ihre Nachrichten und Fotos sind weg, für alle.",
  },
  by: (creator) => `von ${creator}`,
  waits: "Diese Seite sagt dir, wenn ein Platz frei wird.",
  free: "Ein Platz ist frei.",
  comeIn: "Platz nehmen",
  unsent: { heading: "Du wolltest schreiben", copy: "Kopieren", copied: "Kopiert" },
};
