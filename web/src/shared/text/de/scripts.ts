import type { scripts as english } from "../en/scripts";

export const scripts: typeof english = {
  signUp: "Zum Registrieren brauchst du JavaScript, und für alles andere mit deinem Konto auch.",
  login:
    "Zum Anmelden brauchst du JavaScript: Dein Browser bewahrt die Anmeldung in zwei Hälften auf, und nur ein Skript kann sie zusammensetzen.",
  reset: "Für dieses Formular brauchst du JavaScript, und für die Anmeldung mit dem neuen Passwort auch.",
  confirm:
    "Zum Bestätigen brauchst du JavaScript: Den Link zu öffnen bestätigt noch nichts. Du kannst ihn später wieder öffnen.",
  feedback:
    "Für Feedback brauchst du JavaScript: Fotos werden auf deinem Gerät verkleinert und verlieren ihre Metadaten, bevor du sie schickst.",
  account:
    "Für diese Seite brauchst du JavaScript: Nur ein Skript kann deine Anmeldung lesen, die dein Browser in zwei Hälften aufbewahrt.",
  group:
    "Für eine Gruppe brauchst du JavaScript: Die Nachrichten kommen über eine Verbindung, die nur ein Skript öffnen kann. Du hast noch keinen Platz belegt.",
  conversation:
    "Für ein Gespräch brauchst du JavaScript: Der Schlüssel im Link bleibt in deinem Browser, und nur ein Skript kann ihn benutzen.",
  tour: "Ohne JavaScript siehst du nur die erste Seite dieser Tour. Den Rest erzählt dir die Startseite.",
};
