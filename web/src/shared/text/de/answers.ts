import * as limit from "@/shared/contract/limits";
import type { AnswersText } from "../answersText";

export const answers: AnswersText = {
  title: (name) => `${name} beantwortet eine Nachricht`,
  heading: (name) => `${name} antwortet`,
  list: {
    heading: "Öffentlich beantwortet",
    older: "Ältere Antworten",
    open: (note) => `Antwort auf: ${note}`,
  },
  note: "Die Nachricht",
  answer: "Die Antwort",
  write: (name) => `Schreib ${name} eine Nachricht`,
  all: (name) => `Mehr von ${name}`,
  copy: "Link kopieren",
  copied: "Link kopiert",
  share: "Teilen",
  picture: "Als Bild speichern",
  preview: (note, answer) => `Bildvorschau: ${note} – ${answer}`,
  gone: {
    heading: "Nicht mehr da",
    body: "Unter dieser Adresse gibt es keine Antwort. Vielleicht wurde sie zurückgezogen.",
  },
  later: {
    heading: "Die Antwort konnte nicht geladen werden",
    body: "Versuche es gleich wieder.",
  },
  mine: {
    publish: "Öffentlich antworten",
    onlyForYou: "Nur für dich: Diese Nachricht soll nicht veröffentlicht werden.",
    public: "Öffentlich",
    yours: "Deine öffentliche Antwort",
    field: "Deine Antwort",
    dialog: {
      name: "Antwort veröffentlichen",
      body: "Alle können die Nachricht und deine Antwort auf deiner Seite lesen, bis du sie zurückziehst.",
    },
    published: "Antwort veröffentlicht",
    edit: "Antwort bearbeiten",
    open: "Seite öffnen",
    takeDown: {
      action: "Zurückziehen",
      entry: "Antwort zurückziehen",
      title: "Diese Antwort zurückziehen?",
      body: "Sie verschwindet sofort von deiner Seite, und ihr Link funktioniert nicht mehr. Die Nachricht bleibt in deinem Posteingang.",
      done: "Antwort zurückgezogen",
    },
  },
  /** What people set up of their own page. */
  page: {
    name: "Deine Seite",
    more: "Eine Zeile über dich, Anregungen für andere, und was veröffentlicht werden darf",
    body: "Alle mit deinem Link sehen das über und unter dem Formular.",
    line: { label: "Über dich", hint: `Eine Zeile mit bis zu ${limit.PAGE_LINE_MAX} Zeichen.` },
    prompt: (n) => `Anregung ${n}`,
    promptHint: `Zum Beispiel: Frag mich nach meiner Musik. Bis zu ${limit.PROMPT_MAX} Zeichen.`,
    onlyForYou: "Nachrichten sind nur für mich, außer wenn jemand etwas anderes angibt",
    save: "Deine Seite speichern",
    done: "Deine Seite ist gespeichert",
  },
};
