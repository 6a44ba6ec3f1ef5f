import type { SealedNoteText } from "../sealedNoteText";

export const sealedNote: SealedNoteText = {
  mark: "Versiegelt",
  only: (name) => `Nur ${name} kann sie lesen. Diese Seite nicht.`,
  about: (name) => ({
    heading: "Deine Nachricht wird versiegelt",
    lead: `Dein Browser verschließt deine Worte, bevor er sie abschickt, mit einem Schlüssel von ${name}. Öffnen lassen sie sich nur auf den Geräten von ${name}.`,
    protects: "Wer diese Seite betreibt oder ihre Festplatte nimmt, kann deine Nachricht nicht lesen.",
    knows:
      "Zu sehen ist dort, dass du eine geschickt hast und wann, wie lang sie ungefähr ist und ob du eine Antwort möchtest.",
    check: "Code prüfen",
    not: [
      `Es schützt nicht vor ${name}: Dort wird sie gelesen und kann anderen gezeigt werden.`,
      `Es schützt nicht, wenn diese Seite dir einen anderen Schlüssel gibt. Ein ganzer Link von ${name}, mit einem Teil hinter dem #, würde das zeigen.`,
      "Es schützt nicht, wenn diese Seite deinem Browser anderen Code schickt.",
    ],
  }),
  otherKey: (name) =>
    `Dieser Link passt nicht zu dem Schlüssel, den diese Seite für ${name} hat. Es wird nichts gesendet. Frag ${name} nach einem neuen Link.`,
  notSealed: (name) =>
    `Laut diesem Link werden Nachrichten an ${name} versiegelt, laut dieser Seite nicht. Es wird nichts gesendet. Frag ${name} nach einem neuen Link.`,
  cant: "Hier kommen nur versiegelte Nachrichten an. Dieser Browser kann hier nicht versiegeln: Dazu muss die Seite über https kommen.",
  cantPinned:
    "Deine Nachricht sollte versiegelt werden. Dieser Browser kann das hier nicht: Dazu muss die Seite über https kommen.",
  open: (name) =>
    `Deine Nachricht wird nicht versiegelt, denn dazu müsste die Seite über https kommen. Bei ${name} kommt sie an, aber wer diese Seite betreibt, könnte sie lesen.`,
  turnedOff: (name) =>
    `Nachrichten an ${name} werden nicht mehr versiegelt. Noch ist nichts gesendet. Schick sie erneut ab, wenn diese Seite sie lesen darf.`,
  noKey: "Der Schlüssel hier lässt sich nicht benutzen. Es wurde nichts gesendet.",
};
