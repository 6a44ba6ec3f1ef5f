import type { SealedText } from "../sealedText";

export const sealed: SealedText = {
  unopened: "Diese Nachricht lässt sich nicht öffnen",
  missing: (emoji) => `Etwas, das ${emoji} davor geschrieben hat, fehlt`,
  followed: (emoji) => `Etwas, das ${emoji} danach geschrieben hat, fehlt`,
  misplaced: (emoji) => `${emoji} hat das nicht an dieser Stelle gesendet`,
  unproved: (emoji) => `Niemand kann prüfen, ob ${emoji} das geschrieben hat`,
  rekeyed: (emoji) => `${emoji} hat einen neuen Schlüssel: ein anderer Browser, oder jemand anderes`,
  keyless: {
    heading: "Versiegelt",
    small: "der Schlüssel fehlt",
    missing: "Diesem Link fehlt der Schlüssel: der Teil hinter dem #.",
    wrong: "Der Schlüssel in diesem Link passt nicht zu dieser Gruppe.",
    cant: "Dieser Browser kann sie hier nicht öffnen: Dazu muss die Seite über https kommen.",
    more: "Nur Browser mit dem Schlüssel können lesen, was hier steht. Diese Seite hat ihn nicht. Frag nach dem ganzen Link, oder füge ihn hier ein.",
    link: "Der ganze Link",
    notWhole: "Das ist nicht der ganze Link dieser Gruppe.",
    open: "Gruppe öffnen",
  },
  about: {
    open: "Versiegelt",
    heading: "Diese Gruppe ist versiegelt",
    lead: "Wörter, Bilder und der Name der Gruppe werden im Browser verschlossen. Der Schlüssel steht im Link hinter dem # und kommt nie bei dieser Seite an.",
    protects: "Wer diese Seite betreibt oder ihre Festplatte nimmt, kann nicht lesen, was hier gesagt wird.",
    knows: "Zu sehen ist dort, welches Emoji wann sendet, wie lang es ungefähr ist, und Reaktionen.",
    check: "Code prüfen",
    not: [
      "Es schützt nicht vor denen in der Gruppe, und nicht vor denen mit dem Link.",
      "Es schützt nicht bei einem verlorenen Handy, auf dem die Gruppe offen ist.",
      "Es schützt nicht, wenn diese Seite deinem Browser anderen Code schickt.",
    ],
  },
  choice: {
    name: "Versiegeln",
    more: "Nur Browser mit dem Link können sie lesen, diese Seite nicht. Ist der Link weg, kann niemand die Gruppe öffnen.",
  },
  allBut: {
    why: (name) =>
      `${name} hat den Schlüssel dieser Gruppe, auch nach dem Entfernen. Gibt jemand weiter, was hier geschrieben wird, kann ${name} es lesen.`,
    how: (name) =>
      `Eine neue Gruppe bekommt denselben Namen und einen neuen Schlüssel. Sie fängt leer an, und hier erfährt niemand davon: Was hier gesendet wird, ist mit dem Schlüssel verschlossen, den ${name} hat.`,
    share: (name) =>
      `Schick diesen Link allen außer ${name}, aber nicht in der alten Gruppe. Die bleibt, bis ihre Zeit um ist oder du sie löschst.`,
  },
  made: "Heb diesen Link auf: Der Teil hinter dem # ist der Schlüssel. Diese Seite hat ihn nicht und zeigt ihn kein zweites Mal.",
};
