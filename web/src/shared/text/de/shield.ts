import * as limit from "@/shared/contract/limits";
import type { ShieldText } from "../shieldText";

const DAYS = limit.HELD_KEPT_SECONDS / (24 * 60 * 60);

export const shield: ShieldText = {
  pause: {
    name: "Pause machen",
    more: "Deine Seite sagt, dass du gerade keine Nachrichten annimmst. Die vorhandenen bleiben.",
    on: "Deine Seite nimmt jetzt keine Nachrichten an",
    off: "Deine Seite nimmt wieder Nachrichten an",
  },
  mode: {
    name: "Schutz vor Spam",
    more: "Bevor eine Nachricht rausgeht, muss das Gerät des Absenders kurz rechnen. Das bremst Programme und sagt über niemanden etwas.",
    of: { off: "Nie", auto: "Bei Neuen, wenn sehr viel kommt", always: "Bei Neuen, immer" },
    saved: "Gespeichert",
  },
  words: {
    name: "Wörter zum Zurückhalten",
    more: (count) =>
      count === 0
        ? "Wörter und Wendungen, die dir nicht unvorbereitet begegnen sollen"
        : `${count} ${count === 1 ? "Wort oder Wendung" : "Wörter und Wendungen"}`,
    title: "Wörter zum Zurückhalten",
    body: `Nachrichten mit einem davon warten ${DAYS} Tage lang unter „Zurückgehalten“. Wer sie schickt, erfährt es nicht. Groß oder klein ist egal, und Teile von Wörtern zählen nicht.`,
    label: "Ein Wort oder eine Wendung je Zeile",
    hint: `Höchstens ${limit.HELD_WORDS}, jeweils mit höchstens ${limit.HELD_WORD_MAX} Zeichen.`,
    save: "Speichern",
    saved: "Gespeichert",
  },
  held: {
    name: "Zurückgehalten",
    title: (count) => `Zurückgehalten: ${count}`,
    body: `Nachrichten mit deinen Wörtern warten hier ${DAYS} Tage lang. Ihre Absender wissen es nicht.`,
    empty: "Nichts ist zurückgehalten.",
    show: "Im Posteingang zeigen",
    shown: "Sie ist jetzt in deinem Posteingang",
    waits: "Sie kommt mit der nächsten Zustellung",
    remove: "Löschen",
    older: "Ältere zeigen",
    of: (action, when) => `${action}: die Nachricht vom ${when}`,
  },
  block: {
    action: "Absender blockieren",
    title: "Absender dieser Nachricht blockieren?",
    body: `Was von diesem Browser kommt, erreicht dich nicht, bis du ihn freigibst, und der Absender erfährt es nicht. Vorhandene Nachrichten bleiben, und niemand kann sagen, welche davon auch von dort kamen. Den Absender einer Nachricht kannst du bis ${limit.TAG_DAYS} Tage danach blockieren; mit einem anderen Browser kommt er trotzdem durch.`,
    confirm: "Blockieren",
    done: "Blockiert",
  },
  seal: {
    name: "Posteingang versiegeln",
    more: "Damit nur deine Geräte deine Nachrichten lesen können, diese Seite nicht",
  },
  blocks: {
    name: "Blockiert",
    more: "Wen du blockierst, mit der Nachricht, die dazu führte",
    title: "Blockiert",
    body: "Jede Blockierung gilt dem Absender einer Nachricht.",
    empty: "Du blockierst niemanden.",
    gone: "Eine gelöschte Nachricht",
    undo: "Freigeben",
    undone: "Freigegeben",
    of: (began, when) => `Freigeben: ${began}, blockiert ${when}`,
  },
};
