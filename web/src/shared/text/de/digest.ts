import type { DigestText } from "../digestText";

export const digest: DigestText = {
  name: "Schreib mir eine E-Mail",
  more: "Höchstens einmal am Tag, und nur wenn etwas Neues da ist. Darin steht, wie viel auf dich wartet, sonst nichts.",
  on: "Du bekommst eine E-Mail, wenn etwas auf dich wartet",
  off: "Es kommen keine E-Mails mehr",
  end: {
    title: "Diese E-Mails abstellen",
    heading: "E-Mails",
    small: "höchstens eine am Tag",
    lead: "Sie sagen dir, wie viel auf dich wartet. Möchtest du sie abstellen?",
    submit: "E-Mails abstellen",
    ended: "Du bekommst diese E-Mails nicht mehr. In den Einstellungen kannst du sie wieder anschalten.",
  },
};
