import type { NoteText } from "../noteText";

export const note: NoteText = {
  title: (name) => `Schick ${name} eine anonyme Nachricht`,
  heading: "Psst",
  small: (name) => `eine Nachricht an ${name}`,
  lead: "Schreib, wofür du nicht mit deinem Namen stehen willst. Kein Konto, kein Name, und nichts Gespeichertes führt zu dir.",
  words: "Deine anonyme Nachricht",
  placeholder: "Sag es …",
  answer: {
    name: "Ich hätte gern eine Antwort",
    more: "Dafür bekommst du einen privaten Link. Deine Nachricht bleibt anonym.",
  },
  onlyForYou: {
    name: (name) => `Nur für ${name}`,
    more: (name) => `${name} kann sie nicht veröffentlichen und wird vor einem Bild davon gefragt.`,
  },
  prompts: { label: "Du weißt nicht, was du schreiben sollst?", none: "Etwas anderes schreiben" },
  paused: { heading: "Pause", body: "Komm ein andermal wieder." },
  plain: {
    sealed: (name) =>
      `${name} nimmt nur versiegelte Nachrichten. Dein Browser versiegelt sie mit einem Skript, und Skripte sind ausgeschaltet.`,
    unsealed: (name) =>
      `Skripte sind ausgeschaltet, deshalb wird deine Nachricht nicht versiegelt: Wer diese Seite betreibt, könnte sie lesen. Mit Skripten kann das nur ${name}.`,
  },
  submit: "Abschicken",
  sent: (name) => `Anonyme Nachricht an ${name} gesendet`,
  left: (name) =>
    `${name} hat das Konto gelöscht. Was du geschrieben hast, steht noch hier: Du kannst es kopieren.`,
  own: "Hol dir deinen eigenen Link",
  another: "Noch eine schicken",
  next: {
    heading: "Jetzt bist du dran",
    body: "Hol dir deinen eigenen Link. Das geht schneller als die Nachricht, die du gerade geschrieben hast.",
    steps: [
      { title: "Wähle einen Benutzernamen", body: "Mehr erfährt niemand, der dir schreibt." },
      {
        title: "Teile deinen Link",
        body: "In deinem Profil, einer Story, einem Chat oder auf einer Folie.",
      },
      { title: "Lies deine Nachrichten", body: "Sie kommen sofort bei dir an." },
    ],
  },
  ownPage: {
    title: "Deine Seite",
    heading: "Diese Seite gehört dir",
    lead: "Alle anderen finden hier ein Formular für eine Nachricht an dich.",
    asOthers: "Ansehen wie alle anderen",
  },
};
