import type { SealedTalkText } from "../sealedTalkText";

export const sealedTalk: SealedTalkText = {
  mark: "Versiegelt",
  about: {
    heading: "Dieses Gespräch ist versiegelt",
    lead: "Dein Browser verschließt, was du hier schreibst, bevor er es abschickt. Öffnen lässt es sich mit dem privaten Link und auf den Geräten der Person, an die die Nachricht ging.",
    protects: "Wer diese Seite betreibt oder ihre Festplatte nimmt, kann nicht lesen, was hier gesagt wird.",
    knows: "Zu sehen ist dort, wer von euch beiden wann schreibt, wie lang es ungefähr ist, und Reaktionen.",
    check: "Code prüfen",
    not: [
      "Es schützt nicht vor der anderen Seite des Gesprächs: Sie kann es anderen zeigen.",
      "Es schützt nicht vor anderen, die den privaten Link haben oder ein Gerät, auf dem es offen ist.",
      "Es schützt nicht, wenn diese Seite deinem Browser anderen Code schickt.",
    ],
  },
  unopened: "Diese Nachricht lässt sich nicht öffnen",
  locked: {
    insecure: {
      heading: "Lässt sich hier nicht öffnen",
      body: "Dieses Gespräch ist versiegelt. Dieser Browser kann es hier nicht öffnen: Dazu muss die Seite über https kommen.",
    },
    keyless: {
      heading: "Für deine anderen Geräte versiegelt",
      body: "Dieses Gerät hat den Schlüssel zu deinem Posteingang nicht. Dein Wiederherstellungscode öffnet es hier.",
    },
    broken: {
      heading: "Das lässt sich nicht öffnen",
      body: "Die Nachricht, mit der dieses Gespräch begann, passt nicht zum Schlüssel deines Posteingangs. Vielleicht wurde sie mit einem anderen versiegelt.",
    },
    open: {
      heading: "Das sollte versiegelt sein",
      body: "Dieses Gerät kennt dieses Gespräch als versiegelt, aber die Seite sagt, dass es das nicht ist. Es wird nichts gezeigt und nichts gesendet.",
    },
  },
};
