import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import type { Text } from "../text";
import { Seats, seats, seatsAndOne } from "./numbers";

/** The public pages in German. */
export const site: Text = {
  product: siteName,
  actions: {
    signUp: "Registrieren",
    signIn: "Anmelden",
    toInbox: "Mein Posteingang",
    skipToContent: "Zum Inhalt springen",
    ownRoom: "Eigene Gruppe erstellen",
    toStart: "Zur Startseite",
    toLogin: "Zur Anmeldung",
    retry: "Erneut versuchen",
  },
  header: { label: "Hauptmenü", menu: "Menü" },
  footer: {
    label: "Fußzeile",
    getStarted: "Tour",
    about: "Über uns",
    blog: "Blog",
    feedback: "Feedback",
    report: "Melden",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutz",
    imprint: "Impressum",
    contact: "Kontakt",
    promise: "Nichts von Dritten.",
  },
  aNote: "Anonyme Nachricht",
  invite: "Schick mir auch eine",
  theme: { toDark: "Dunkles Design", toLight: "Helles Design" },
  language: "Sprache",
  changeLanguage: "Wechseln",
  loading: "Wird geladen",
  landing: {
    title: `${siteName}: anonyme Nachrichten und kurzlebige Gruppenchats`,
    hero: {
      lead: "Sag es ohne",
      tag: "Namensschild",
      body: `${siteName} gibt dir einen eigenen Link. Wer ihn öffnet, kann dir eine Nachricht dalassen, und nichts Gespeichertes verrät, wer es war. Willst du darüber reden? Erstelle eine Gruppe für ${seats}, in der alle ein Emoji sind.`,
      how: "So funktioniert’s",
      tour: "Zur Tour",
      pile: "Ein Stapel Sticker: Namensschilder mit „Hallo, ich heiße“ und einem Emoji statt des Namens, dazu eine anonyme Nachricht.",
      hello: "HALLO",
      myNameIs: "ich heiße",
      note: "Du erklärst es besser als das Buch. Bitte hör nie damit auf.",
    },
    how: {
      title: "Teile einen Link, bekomme Nachrichten ohne Absender",
      steps: [
        {
          title: "Hol dir deinen Link",
          body: "Benutzername, E-Mail-Adresse, Passwort: Mehr braucht es nicht.",
        },
        {
          title: "Zeig ihn, wo ihn alle sehen",
          body: `Wer ihn öffnet, kann dir ${limit.NOTE_MIN} bis ${limit.NOTE_MAX} Zeichen schreiben. Ganz ohne Konto.`,
        },
        {
          title: "Lies und antworte",
          body: "Wer schrieb, steht nirgends. Wer es möchte, bekommt deine Antwort und kann erwidern. Oder antworte öffentlich.",
        },
        {
          title: "Zeig die schönsten her",
          body: "Mach aus einer Nachricht ein Bild mit deinem Link, fertig zum Posten. Probier es aus!",
        },
      ],
      places: ["dein Profil", "eine Story", "der Klassenchat", "eine Folie"],
      username: "deinname",
      answers: "Eine Nachricht, deine Antwort und was zurückkommt; und eine öffentliche Antwort:",
      talk: ["Danke! Welche Stelle?", "Der Schluss. Ich erzähle ihn allen."],
      reply: "Immer. Der Platz bleibt deiner.",
      notes: [
        "Dein Vortrag am Freitag? Ich denke immer noch daran.",
        "Montags hältst du mir einen Platz frei 💛",
      ],
      capture: "Eine Nachricht als Bild zum Posten:",
      try: "Deine Nachricht als Beispiel",
    },
    rooms: {
      title: `${Seats} Plätze, ${seats} Gesichter, keine Namen`,
      points: [
        "Alle bekommen ein zufälliges Emoji. Einen Namen hat nur, wer die Gruppe erstellt hat.",
        `${Seats} Leute passen rein. Nummer ${seatsAndOne} kann nichts lesen.`,
        `Nach ${limit.ROOM_SHORT_LIFETIME_HOURS} oder ${limit.ROOM_LIFETIME_HOURS} Stunden werden Nachrichten, Fotos und Plätze gelöscht.`,
      ],
      demoLabel: "Beispiel eines Gruppenchats mit drei Emojis:",
      demoName: "Nachttacos",
      knock: "klopft an",
      letIn: "Reinlassen",
      demo: [
        { emoji: "🐙", line: "Wer ist noch wach?" },
        { emoji: "🦊", line: "Ich. Natürlich." },
        { emoji: "🌵", line: "Moment, wer ist der Fuchs?" },
        { emoji: "🐙", line: "Weiß niemand. Das ist ja der Spaß." },
        { emoji: "🦊", line: "🌮🌮🌮" },
      ],
      seatsLabel: `${Seats} Emojis auf ${seats} Plätzen`,
      seats: ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸"],
    },
    ledger: {
      title: "Was bleibt und was nicht",
      keptTitle: "Der Server behält",
      kept: [
        "Benutzername, E-Mail-Adresse und einen Hash des Passworts.",
        "Deine Nachrichten, versiegelt mit dem Schlüssel deines Kontos.",
        "Die Nachrichten und Fotos einer Gruppe, bis die Gruppe endet.",
        "-+ IP-Adressen von Abgewiesenen, in einem Protokoll des Betreibers.",
      ],
      neverTitle: "Der Server behält nicht",
      never: [
        "Wer eine Nachricht geschickt hat.",
        "-- IP-Adressen, auch in Protokollen nicht.",
        "Wo und wann ein Foto entstand.",
        "Dich im Auge: Nichts kommt von anderen Websites.",
      ],
      more: "Alle Einzelheiten zum Datenschutz",
    },
    join: { title: "Nur noch ein kurzes Formular bis zu deinem Link" },
  },
  expired: {
    title: "Gruppe abgelaufen",
    text: "Diese Gruppe ist abgelaufen",
    body: `Gruppen laufen ${limit.ROOM_SHORT_LIFETIME_HOURS} oder ${limit.ROOM_LIFETIME_HOURS} Stunden. Alles, was hier gesagt wurde, ist gelöscht.`,
  },
  roomFull: {
    title: "Gruppe voll",
    text: "Diese Gruppe ist schon voll",
    body: `Eine Gruppe hat ${seats} Plätze, und die sind alle besetzt.`,
  },
  roomLocked: {
    title: "Gruppe gesperrt",
    text: "Diese Gruppe ist gesperrt",
    body: "Gerade kann niemand beitreten. Nur wer die Gruppe erstellt hat, kann sie entsperren.",
  },
  roomKicked: {
    title: "Aus der Gruppe entfernt",
    text: "Du wurdest aus dieser Gruppe entfernt",
    body: "Wer die Gruppe erstellt hat, hat dich entfernt. Mit diesem Browser kommst du nicht zurück.",
  },
  roomLeft: { text: "Du hast die Gruppe verlassen", body: "Dein Platz ist wieder frei." },
  missing: { heading: "Seite nicht gefunden", body: "Prüfe, ob die Adresse stimmt, oder mach hier weiter." },
  error: { heading: "Hoppla", message: "Etwas ist schiefgegangen." },
  unexpected: { heading: "Unerwarteter Fehler!", unknown: "Unbekannter Fehler", stack: "Stacktrace" },
};
