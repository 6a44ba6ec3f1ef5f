import type { Text } from "./text";

/** The public pages in German. */
export const de: Text = {
  product: "Annon",
  actions: {
    signUp: "Registrieren",
    signIn: "Anmelden",
    skipToContent: "Zum Inhalt springen",
    toStart: "Zurück zum Anfang",
    toLogin: "Zur Anmeldung",
    retry: "Noch einmal versuchen",
  },
  header: { label: "Hauptmenü", blog: "Blog", about: "Über uns", feedback: "Feedback" },
  footer: {
    label: "Fußzeile",
    tour: "Tour",
    about: "Über uns",
    blog: "Blog",
    feedback: "Feedback",
    terms: "Regeln",
    privacy: "Datenschutz",
    promise: "Alles auf dieser Seite kam von dieser Website.",
  },
  theme: { toDark: "Dunkel schalten", toLight: "Hell schalten" },
  language: "Sprache",
  loading: "Wird geladen",
  landing: {
    title: "Annon: anonyme Nachrichten und kurzlebige Gruppenchats",
    hero: {
      lead: "Sag es ohne",
      tag: "Namensschild",
      body: "Annon gibt dir einen eigenen Link. Wer ihn öffnet, kann dir eine Nachricht dalassen: ohne Konto, ohne Namen, und nichts Gespeichertes führt zurück. Wollt ihr darüber reden, öffne eine Gruppe für zehn, in der jeder ein Emoji ist.",
      how: "So funktioniert es",
      tour: "Mach die Tour",
      pile: "Ein Haufen Aufkleber: Namensschilder, auf denen „Hallo, ich heiße“ steht, mit einem Emoji anstelle des Namens, und eine anonyme Nachricht.",
      hello: "HALLO",
      myNameIs: "ich heiße",
      noteTitle: "Anonyme Nachricht",
      note: "Du erklärst es besser als das Buch. Bitte hör nie damit auf.",
    },
    how: {
      title: "Ein Link hinaus, Nachrichten ohne Absender herein",
      steps: [
        {
          title: "Hol dir deinen Link",
          body: "Ein Benutzername, eine E-Mail-Adresse und ein Passwort. Dein Link ist der Benutzername, und er geht sofort.",
        },
        {
          title: "Zeig ihn, wo man hinsieht",
          body: "Wer ihn öffnet, kann 10 bis 280 Zeichen schreiben. Ein Konto braucht es nicht, und keines wird verlangt.",
        },
        {
          title: "Lies, was da ist",
          body: "Jede Nachricht kommt mit Datum und Uhrzeit in deinen Posteingang. Einen Absender gibt es nicht nachzuschlagen.",
        },
      ],
      places: ["dein Profil", "eine Story", "der Klassenchat", "eine Folie"],
      username: "deinname",
      unread: "Neu",
      sample: "Der Vortrag am Freitag? Ich denke immer noch daran.",
    },
    groups: {
      title: "Zehn Plätze, zehn Gesichter, keine Namen",
      points: [
        "Wer den Link öffnet, bekommt ein zufälliges Emoji, und mehr sehen die anderen nicht. Nur wer die Gruppe gemacht hat, steht mit dem Benutzernamen dabei.",
        "Zehn Leute passen hinein. Die elfte Person steht vor der Tür und liest nichts.",
        "Eine Gruppe dauert 24 Stunden, oder 2, wenn dir das lieber ist. Dann werden Nachrichten, Bilder und Plätze gelöscht.",
      ],
      sampleLabel: "Ein Beispiel für einen Gruppenchat zwischen drei Emoji",
      sampleName: "Mitternachtstacos",
      sampleCount: "10 von 10",
      sample: [
        { face: "🦊", line: "Wer ist noch wach?" },
        { face: "🐙", line: "Ich. Natürlich." },
        { face: "🌵", line: "Moment, wer ist der Fuchs?" },
        { face: "🐙", line: "Weiß niemand. Das ist ja der Spaß." },
      ],
      seatsLabel: "Zehn Emoji auf zehn Plätzen",
      seats: ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸"],
    },
    ledger: {
      title: "Was bleibt und was nicht",
      keptTitle: "Der Server behält",
      kept: [
        "Deinen Benutzernamen, deine E-Mail-Adresse und einen Hash deines Passworts.",
        "Deine Nachrichten, versiegelt mit einem Schlüssel, der zu deinem Konto gehört. Löschst du das Konto, wird der Schlüssel vernichtet.",
        "Die Nachrichten und Bilder einer Gruppe, bis die Gruppe endet.",
      ],
      neverTitle: "Der Server behält nicht",
      never: [
        "Den Absender einer Nachricht. Nichts Gespeichertes verbindet die beiden.",
        "Netzwerkadressen. Keine wird in ein Protokoll oder auf die Platte geschrieben.",
        "Wo ein Bild aufgenommen wurde. Jedes Bild wird neu gezeichnet, seine Metadaten fallen weg.",
        "Gesellschaft. Kein Skript, keine Schrift und kein Zähler wird von anderswo geladen.",
      ],
      more: "Alles davon steht auf der Datenschutzseite",
    },
    join: { title: "Dein Link ist ein kurzes Formular entfernt" },
  },
  expired: {
    title: "Gruppe abgelaufen",
    text: "Diese Gruppe ist leider abgelaufen",
    body: "Gruppen dauern 24 Stunden oder 2. Was in dieser gesagt wurde, ist gelöscht.",
  },
  roomFull: {
    title: "Gruppe voll",
    text: "Diese Gruppe ist leider schon voll",
    body: "Eine Gruppe hat zehn Plätze, und alle sind besetzt.",
  },
  roomLocked: {
    title: "Gruppe abgeschlossen",
    text: "Diese Gruppe ist abgeschlossen",
    body: "Niemand Neues kommt herein. Wer sie erstellt hat, kann sie wieder öffnen.",
  },
  roomKicked: {
    title: "Aus der Gruppe entfernt",
    text: "Du wurdest aus dieser Gruppe entfernt",
    body: "Wer sie erstellt hat, hat dir den Platz genommen.",
  },
  roomLeft: {
    title: "Du hast die Gruppe verlassen",
    text: "Du hast die Gruppe verlassen",
    body: "Dein Platz ist wieder frei.",
  },
  error: { title: "Hoppla", heading: "Hoppla", message: "Etwas ist schiefgegangen." },
  unexpected: {
    title: "Unerwarteter Fehler!",
    heading: "Unerwarteter Fehler!",
    unknown: "Unbekannter Fehler",
    stack: "Aufrufliste",
  },
};
