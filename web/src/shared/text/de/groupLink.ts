import type { GroupLinkText } from "../groupLinkText";

export const groupLink: GroupLinkText = {
  away: "Von Nachrichten hören, wenn sie zu ist",
  renew: {
    title: "Neuen Link holen?",
    body: "Mit dem alten Link kommt niemand Neues mehr dazu. Alle, die schon in der Gruppe sind, bleiben drin. Zum Einladen teilst du den neuen Link.",
    action: "Neuer Link",
  },
  kick: {
    title: (name) => `${name} aus der Gruppe entfernen?`,
    body: "Wer entfernt wird, kommt mit demselben Browser nicht zurück, und der Platz wird frei. Sperre die Gruppe, damit niemand Neues dazukommt.",
    withMessages: "Auch alle Nachrichten dieser Person löschen",
    action: "Entfernen",
  },
  lock: {
    title: "Diese Gruppe sperren?",
    body: "Niemand kann beitreten, bis du sie wieder entsperrst. Wer schon drin ist, bleibt.",
    action: "Sperren",
  },
  leave: {
    title: "Diese Gruppe verlassen?",
    body: "Dein Platz wird für jemand anderen frei. Kommst du zurück, bekommst du vielleicht ein anderes Emoji.",
    action: "Verlassen",
  },
  allBut: (name) => `Neue Gruppe für alle außer ${name}`,
  done: "Der alte Link gilt nicht mehr. Den neuen kopierst du im Menü.",
};
