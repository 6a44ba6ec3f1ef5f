import * as limit from "@/shared/contract/limits";
import type { PushText } from "../pushText";

export const push: PushText = {
  title: "Wenn diese Seite zu ist",
  body: `Dieser Browser kann sagen, dass etwas gekommen ist: nie den Wortlaut, einen Namen oder den Namen einer Gruppe. Von jeder Art hörst du höchstens einmal in ${limit.PUSH_EVERY_SECONDS / 60} Minuten.`,
  kinds: {
    note: "Jemand hat dir eine Nachricht hinterlassen",
    answer: "Jemand hat in einer Unterhaltung geschrieben",
    knock: "Jemand klopft an einer Gruppe an",
    group: "In einer deiner Gruppen wird geredet",
  },
  answered: "In dieser Unterhaltung gibt es eine Antwort",
  talking: "In dieser Gruppe wird geschrieben",
  offer: {
    of: {
      note: "Möchtest du von neuen Nachrichten hören, wenn diese Seite zu ist?",
      answer: "Möchtest du von der Antwort hören, wenn diese Seite zu ist?",
    },
    yes: "Sag mir Bescheid",
    no: "Jetzt nicht",
  },
  quiet: "Ruhezeit",
  quietMore: "In dieser Zeit wird nichts gezeigt, und es kommt auch nicht später.",
  from: "Von",
  to: "Bis",
  others: (count) =>
    count === 1
      ? "Ein anderer Browser sagt dir auch Bescheid."
      : `${count} andere Browser sagen dir auch Bescheid.`,
  endOthers: "Nur noch in diesem",
  othersEnded: "Jetzt sagt dir nur dieser Browser Bescheid",
  service:
    "Der Hersteller deines Browsers erfährt, dass diesem Gerät etwas gesagt wird und wann. Nicht was, und nicht von wem.",
  begun: "Dieser Browser sagt dir jetzt Bescheid",
  ended: "Dieser Browser sagt dir nicht mehr Bescheid",
  obstacles: {
    unsupported: "Dieser Browser kann nichts zeigen, wenn die Seite zu ist.",
    uninstalled:
      "Auf einem iPhone oder iPad musst du diese Seite erst zum Home-Bildschirm hinzufügen und von dort öffnen.",
    blocked: "Dieser Browser erlaubt es dieser Seite nicht. Du kannst das in seinen Einstellungen ändern.",
    none: "Diese Seite schickt nichts, wenn sie zu ist.",
  },
};
