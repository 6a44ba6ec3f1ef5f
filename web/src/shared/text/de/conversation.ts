import * as limit from "@/shared/contract/limits";
import type { ConversationText } from "../conversationText";

const DAYS = limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60);
const answers = new Intl.PluralRules("de");

/** Conversations in German. */
export const conversation: ConversationText = {
  sender: "Anonym",
  answers: (count) => `${count} ${answers.select(count) === "one" ? "Antwort" : "Antworten"}`,
  link: {
    heading: "Dein privater Link",
    body: `Hier erscheint die Antwort. Heb den Link gut auf: Wir können ihn nicht wiederfinden, und wer ihn hat, kann in diesem Gespräch mitlesen und schreiben. ${DAYS} Tage nach der letzten Nachricht wird alles gelöscht.`,
    label: "Privater Link",
    copy: "Link kopieren",
    copied: "Privater Link kopiert",
    share: "Teilen",
    qr: {
      title: "Privater Link als QR-Code",
      body: () => "Wer ihn scannt, kann in diesem Gespräch mitlesen und schreiben.",
    },
    remember: "Auf diesem Gerät merken",
    rememberMore:
      "Dann siehst du auf dieser Website, wenn eine Antwort da ist. Wer diesen Browser benutzt, sieht sie auch.",
    leaving: {
      title: "Ohne deinen Link gehen?",
      body: "Du hast ihn noch nirgends gesichert. Ohne ihn siehst du die Antwort nicht, und wir können ihn nicht wiederfinden.",
      leave: "Ohne Link gehen",
    },
    remembered: "Dieses Gerät merkt ihn sich und zeigt dir, wenn eine Antwort da ist.",
    forget: "Vergessen",
    forgetHere: "Auf diesem Gerät vergessen",
  },
  kept: {
    heading: "Warten auf Antwort",
    lead: "Nur dieses Gerät weiß davon.",
    to: (name) => `Deine Nachricht an ${name}`,
    open: (name) => `Gespräch mit ${name} öffnen`,
    closed: "Geschlossen",
    none: "Noch keine Antwort",
    read: "Beantwortet und gelesen",
    readElsewhere: "Beantwortet, woanders gelesen",
    ended: "Beendet und gelöscht",
    forget: "Vergessen",
    forgetOne: (name) => `Nachricht an ${name} vergessen`,
    forgetTitle: (name) => `Deine Nachricht an ${name} vergessen?`,
    forgetBody:
      "Dieses Gerät vergisst den privaten Link. Ohne ihn kommst du nicht mehr in das Gespräch zurück.",
    forgetAll: "Alle vergessen",
    forgetAllTitle: "Alle deine Nachrichten vergessen?",
    forgetAllBody:
      "Dieses Gerät vergisst alle diese privaten Links. Ohne Link kommst du in das jeweilige Gespräch nicht mehr zurück.",
  },
  page: {
    title: "Privates Gespräch",
    withSender: "Gespräch über eine Nachricht",
    youAre: { owner: "Die Nachricht ging an dich", sender: "Du bist anonym" },
    about: (date) => `Die Nachricht vom ${date}`,
    whoever: {
      owner: "Du sprichst mit allen, die den privaten Link zu dieser Nachricht haben.",
      sender: "Wer den Link hat, kann hier mitlesen und schreiben.",
    },
    kept: `${DAYS} Tage nach der letzten Nachricht wird alles gelöscht.`,
    closed: {
      owner: "Du hast dieses Gespräch geschlossen. Lesen könnt ihr es weiterhin.",
      sender: (name) => `${name} hat dieses Gespräch geschlossen. Lesen könnt ihr es weiterhin.`,
    },
    waits: (name) =>
      `Das waren ${limit.LINES_UNANSWERED} hintereinander. Was du jetzt schreibst, geht raus, sobald ${name} geantwortet hat.`,
    copy: "Privaten Link kopieren",
    showQr: "Als QR-Code zeigen",
    away: "Von einer Antwort hören, wenn sie zu ist",
    share: "Link teilen …",
    close: {
      action: "Schließen",
      entry: "Für neue Nachrichten schließen",
      title: "Für neue Nachrichten schließen?",
      body: "Dann kann niemand mehr etwas sagen, und es lässt sich nicht wieder öffnen. Lesen könnt ihr es beide weiterhin.",
    },
    report: "Gespräch melden",
    end: {
      action: "Beenden und löschen",
      entry: "Beenden und für beide löschen",
      title: "Dieses Gespräch beenden und löschen?",
      body: "Die Nachricht und alles, was ihr gesagt habt, wird sofort gelöscht, für euch beide. Das lässt sich nicht rückgängig machen.",
    },
    ended: {
      heading: "Gespräch beendet",
      body: "Es ist gelöscht, für euch beide.",
    },
    endedByOther: {
      heading: "Dieses Gespräch ist zu Ende",
      body: {
        owner: () => "Wer die Nachricht geschrieben hat, hat es beendet. Es ist gelöscht, für euch beide.",
        sender: (name) => `Es wurde auf der Seite von ${name} beendet. Es ist gelöscht, für euch beide.`,
        left: (name) => `${name} hat das Konto gelöscht, und mit ihm dieses Gespräch.`,
      },
    },
    gone: {
      heading: "Hier ist kein Gespräch",
      body: "Vielleicht ist es beendet oder abgelaufen, oder der Link ist nicht vollständig. Wir können nicht erkennen, was davon zutrifft.",
    },
    keyless: {
      heading: "Diesem Link fehlt der Schlüssel",
      body: "Der Teil nach dem # ist der Schlüssel, und nur der ganze Link öffnet das Gespräch. Geht es um eine Nachricht an dich? Dann melde dich an.",
    },
    trouble: "Das Gespräch ist nicht erreichbar",
    insecure: "Gespräche brauchen eine sichere Verbindung. Öffne diese Seite über https.",
  },
  mine: {
    heading: "Gespräche",
    lead: "Leute, die gern eine Antwort von dir hätten.",
    answer: "Antworten",
    answerOne: (when) => `Auf die Nachricht vom ${when} antworten`,
    open: (words) => `Gespräch über „${words}“ öffnen`,
    unread: (count) => `${count > 99 ? "99+" : count} neu`,
    asked: "Hätte gern eine Antwort",
    you: "Du:",
    removed: "Nachricht entfernt",
    closed: "Geschlossen",
    answered: "Beantwortet",
    ended: "Beendet",
    older: "Ältere Gespräche laden",
    arrived: "Du hast eine neue Nachricht in einem Gespräch",
  },
};
