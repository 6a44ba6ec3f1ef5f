import type { VerifyText } from "../verifyText";

export const verify: VerifyText = {
  heading: "Code prüfen",
  small: "ist es der veröffentlichte?",
  lead: "Eine versiegelte Gruppe ist nur so sicher wie der Code, der sie versiegelt, und der kommt von dieser Seite. Hier siehst du, ob es der Code ist, der veröffentlicht wurde.",
  how: "Diese Seite lädt jede Datei der App so, wie dein Browser sie bekommt, und rechnet für alle zusammen eine Zahl aus: Ändert sich ein Buchstabe, ist es eine andere Zahl.",
  check: "Prüfen",
  again: "Erneut prüfen",
  looking: (done, all) => (all === 0 ? "Es wird geprüft" : `${done} von ${all} Dateien`),
  same: (count, version) =>
    `Alle ${count} Dateien sind so, wie diese Seite sagt. Sie nennt sich Version ${version}.`,
  differs: "Diese Dateien sind nicht, was diese Seite von ihnen sagt:",
  digest: "Die Zahl aller Dateien:",
  paste: "Füg die Zahl aus den Versionshinweisen ein",
  published: "Es ist die Zahl, die du eingefügt hast: Dein Browser hat den Code, der veröffentlicht wurde.",
  notPublished:
    "Das ist eine andere Zahl. Diese Seite hat vielleicht eine andere Version oder geänderten Code.",
  limits: {
    heading: "Was sich so nicht sagen lässt",
    lies: "Eine Seite, die betrügen will, kann auch auf dieser Seite betrügen. Frag also nicht diese Seite nach der Zahl zum Vergleichen: Nimm sie aus den Versionshinweisen, von jemandem, dem du vertraust, oder von einem Programm derselben Version:",
    build: "Das Programm lässt sich aus seinem Quelltext bauen und gibt dieselben Bytes.",
  },
};
