import type { ReportText } from "../reportText";

export const report: ReportText = {
  note: {
    name: "Nachricht melden",
    body: "Wer diese Website betreibt, bekommt den Text der Nachricht und was du dazu schreibst. In wessen Posteingang sie liegt, erfährt dort niemand.",
  },
  conversation: {
    name: "Gespräch melden",
    body: {
      owner:
        "Wer diese Website betreibt, bekommt die erste Nachricht, die Nachrichten, die du auswählst, und was du dazu schreibst. In wessen Posteingang sie liegen, erfährt dort niemand.",
      sender:
        "Wer diese Website betreibt, bekommt die erste Nachricht, die Nachrichten, die du auswählst, und was du dazu schreibst, und sieht auch, in wessen Posteingang sie liegen.",
    },
  },
  room: {
    name: "Nachrichten melden",
    body: "Wer diese Website betreibt, bekommt die Nachrichten, die du auswählst, mit ihren Fotos, und was du dazu schreibst, und sieht, wer die Gruppe erstellt hat. Welches Mitglied du bist, erfährt dort niemand.",
  },
  sealed: {
    name: "Nachrichten melden",
    body: "Wer diese Seite betreibt, kann diese Gruppe nicht lesen. Dorthin gehen die Worte der Nachrichten, die du auswählst, ohne Fotos, und was du hinzufügst, und es ist zu sehen, wer die Gruppe erstellt hat. Welches Mitglied du bist, erfährt niemand.",
  },
  lines: "Diese Nachrichten zeigen",
  line: (from: string, words: string) => `${from}: ${words}`,
  you: "Du",
  photo: "Ein Foto",
  why: "Was ist nicht in Ordnung? (freiwillig)",
  done: "Gemeldet. Danke für den Hinweis.",
  number: (number) => `Ihre Nummer, für die Seite /report: ${number}`,
};
