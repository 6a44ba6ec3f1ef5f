import * as limit from "@/shared/contract/limits";
import type { InboxText } from "../inboxText";

/** The inbox in German. */
export const inbox: InboxText = {
  heading: "Posteingang",
  unread: "Neu",
  capture: (when) => `Als Bild speichern: die Nachricht vom ${when}`,
  expand: (when) => `Die Nachricht vom ${when} lesen`,
  collapse: (when) => `Die Nachricht vom ${when} schließen`,
  short: { capture: "Als Bild", captureMenu: "Als Bild speichern", remove: "Löschen" },
  star: (when) => `Stern für die Nachricht vom ${when}`,
  archive: {
    action: "Archivieren",
    undo: "In den Posteingang",
    done: "Nachricht archiviert",
    undone: "Wieder im Posteingang",
    mark: "Archiviert",
  },
  shelves: {
    inbox: "Eingang",
    starred: "Mit Stern",
    archive: "Archiv",
    noStars: {
      heading: "Noch keine Sterne",
      body: "Tippe auf den Stern einer Nachricht, dann findest du sie hier.",
    },
    noArchive: {
      heading: "Nichts weggeräumt",
      body: "Was du archivierst, bleibt hier. Schreibt der Absender wieder, kommt es zurück.",
    },
  },
  filter: "Anzeigen",
  search: {
    open: "Suchen",
    close: "Suche schließen",
    label: "Deine Nachrichten durchsuchen",
    none: (wanted) => `„${wanted}“ kommt hier nicht vor.`,
    loadedOnly: "Durchsucht, was geladen ist. Lade ältere Nachrichten, um auch sie zu durchsuchen.",
  },
  markAll: "Alle gelesen",
  loading: "Dein Posteingang wird geladen",
  empty: "Noch nichts da. Teile deinen Link, dann erscheint hier deine erste Nachricht.",
  emptyHeading: "Alles ruhig",
  offline: (time) =>
    `Du bist offline. Das ist dein Posteingang, Stand ${time}; Neues kommt, sobald du wieder online bist.`,
  noAnswer: (time) =>
    `Der Server antwortet nicht. Das ist dein Posteingang, Stand ${time}; Neues kommt, sobald er wieder da ist.`,
  waits: "Das geht erst wieder, wenn der Server antwortet.",
  older: "Ältere Nachrichten laden",
  arrived: "Du hast eine neue anonyme Nachricht",
  batchArrived: "Du hast neue anonyme Nachrichten",
  inBatches: `Neue Nachrichten kommen alle ${limit.BATCH_SECONDS / 60} Minuten gesammelt an.`,
  emptyInBatches: `Noch nichts da. Teile deinen Link; neue Nachrichten erscheinen hier alle ${limit.BATCH_SECONDS / 60} Minuten.`,
  removeAll: {
    action: "Alle löschen",
    title: "Alle Nachrichten löschen?",
    body: "Alle deine Nachrichten werden sofort gelöscht, mit ihren Gesprächen und öffentlichen Antworten, auch die, die noch nicht zugestellt sind. Das lässt sich nicht rückgängig machen.",
    done: "Alle Nachrichten gelöscht",
  },
  remove: {
    done: "Nachricht gelöscht",
    undo: "Rückgängig",
    later: "Die Nachricht konnte noch nicht gelöscht werden. Das passiert, sobald der Server antwortet.",
  },
  menu: {
    label: (when: string) => `Mehr zur Nachricht vom ${when}`,
    report: "Nachricht melden",
  },
  paused: {
    body: "Du machst Pause: Deine Seite nimmt gerade keine Nachrichten an.",
    resume: "Wieder annehmen",
  },
  suspended: {
    heading: "Dein Konto ist gesperrt",
    until: (when: string) => `Bis ${when}.`,
    why: (reason: string) => `Grund: ${reason}`,
    what: "Bis dahin ist deine Seite nicht verfügbar, und du kannst keine Gruppen erstellen und nicht in Gesprächen schreiben. Lesen und löschen, was du hast, dein Passwort ändern und dein Konto löschen kannst du weiterhin. Deine Gruppen laufen weiter, aber du kannst sie nicht verwalten.",
    terms: "Nutzungsbedingungen lesen",
  },
  onlyForYou: {
    mark: "Nur für dich",
    title: "Nur für dich",
    body: "Wer das geschrieben hat, bittet dich, es für dich zu behalten. Trotzdem ein Bild davon machen?",
    action: "Bild machen",
  },
  picture: {
    title: "Als Bild speichern",
    shape: "Format",
    shapes: { story: "Story", square: "Quadrat" },
    theme: "Stil",
    themes: { paper: "Papier", night: "Nacht", hot: "Knallig", mint: "Minze" },
    preview: (words) => `Bildvorschau: ${words}`,
    share: "Teilen",
    failed: "Das Bild konnte nicht erstellt werden.",
  },
};
