import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import type { AppText } from "../appText";
import { codes } from "./codes";
import { Seats, seats } from "./numbers";

/** The screens behind the public pages in German. */
export const app: AppText = {
  codes,
  more: "Mehr",
  download: "Herunterladen",
  failure: {
    offline: "Du bist offline. Prüfe deine Verbindung und versuche es erneut.",
    noAnswer: "Der Server antwortet nicht. Versuche es gleich noch mal.",
    signInAgain: "Bitte melde dich an.",
  },
  notices: {
    label: "Hinweise",
    notCopied: "Kopieren hat nicht geklappt. Markiere den Link und kopiere ihn selbst.",
  },
  dialog: { close: "Schließen", cancel: "Abbrechen" },
  form: {
    closeError: "Meldung schließen",
    showPassword: "Passwort zeigen",
    hidePassword: "Passwort verbergen",
    strength: [
      "Sehr schwaches Passwort",
      "Schwaches Passwort",
      "Mittelmäßiges Passwort",
      "Starkes Passwort",
      "Sehr starkes Passwort",
    ],
    count: (count, max) => `${count} von ${max}`,
  },
  feedback: {
    heading: "Sag es uns",
    small: "wir lesen alles",
    lead: "Was klappt, was nicht, was fehlt? Du brauchst kein Konto, und wir erfahren nicht, wer du bist.",
    words: "Dein Feedback",
    picture: "Foto hinzufügen",
    pictureHint: "JPEG, PNG oder WebP. Wir entfernen, wo und wann es aufgenommen wurde.",
    pictureAlt: "Das gewählte Foto",
    removePicture: "Foto entfernen",
    changePicture: "Anderes wählen",
    pictureType: "Wähle ein Foto in JPEG, PNG oder WebP.",
    pictureUnreadable: "Diese Datei konnten wir nicht als Foto lesen.",
    submit: "Feedback senden",
    done: "Feedback gesendet",
    doneMore: "Danke! Es ist angekommen.",
  },
  settings: {
    title: "Einstellungen",
    account: "Konto",
    signedInAs: "Angemeldet als",
    look: "Design und Sprache",
    unconfirmed: {
      notYet:
        "Noch nicht bestätigt: Öffne den Link in der E-Mail von uns. Melde dich bis dahin mit deinem Benutzernamen an.",
      sendAgain: "Link erneut schicken",
    },
    privacyMore: "Was gespeichert wird und was nicht",
    advanced: "Erweitert",
    notes: "Deine Nachrichten",
    batches: {
      name: "Gesammelt zustellen",
      more: `Nachrichten kommen alle ${limit.BATCH_SECONDS / 60} Minuten gesammelt an, damit die Uhrzeit niemanden verrät.`,
      on: `Nachrichten kommen jetzt alle ${limit.BATCH_SECONDS / 60} Minuten an`,
      off: "Nachrichten kommen jetzt sofort an",
    },
    renewLink: {
      name: "Link zurücksetzen",
      more: "Setzt die Kennung zurück, die Apps benutzen; dein Link bleibt gleich",
      title: "Deinen Link zurücksetzen?",
      body: "Für Menschen ändert sich nichts. Apps, die sich die Kennung hinter deinem Link gemerkt haben, müssen sie neu abfragen. Das hilft, wenn eine davon deinen Posteingang überflutet.",
      action: "Zurücksetzen",
      done: "Dein Link hat eine neue Kennung",
    },
    away: { name: "Wenn diese Seite zu ist", more: "In diesem Browser von Nachrichten und Antworten hören" },
    signIns: { name: "Wo du angemeldet bist", more: "Jeder Browser, und wie du ihn abmeldest" },
    changePassword: {
      name: "Passwort ändern",
      more: "Meldet dich auf anderen Geräten ab. Sie sagen dir dann auch nichts mehr",
      current: "Aktuelles Passwort",
      next: "Neues Passwort",
      confirmation: "Neues Passwort bestätigen",
      done: "Passwort geändert!",
    },
    deleteAccount: {
      name: "Konto löschen",
      more: "Endgültig, mit allem, was dazugehört",
      body: "Dein Konto, deine Nachrichten mit ihren Gesprächen und öffentlichen Antworten und deine Gruppen werden sofort gelöscht. Das lässt sich nicht rückgängig machen.",
      password: "Dein Passwort",
      done: "Konto gelöscht",
    },
    logOut: {
      name: "Abmelden",
      more: "Auf diesem Gerät",
      title: "Möchtest du dich wirklich abmelden?",
      done: "Abgemeldet",
    },
  },
  home: {
    tabsLabel: "Deine Seiten",
    tabs: { home: "Start", inbox: "Eingang", groups: "Gruppen" },
    unread: (count) => `${count} ungelesen`,
    hello: (name) => `Hallo, ${name}`,
    room: {
      title: "Gruppenchat erstellen",
      body: `${Seats} Plätze, ${seats} Emojis, keine Namen. Ist die Zeit um, löscht er sich von selbst.`,
    },
    link: {
      title: "Dein Link",
      body: "Wer ihn öffnet, kann dir eine Nachricht dalassen.",
      copy: "Link kopieren",
      copied: "Link für anonyme Nachrichten in die Zwischenablage kopiert",
    },
    invite: {
      title: `Lade jemanden zu ${siteName} ein`,
      body: "Mehr Spaß macht’s, wenn deine Leute auch einen Link haben.",
      copy: "Einladungslink kopieren",
      copied: "Link in die Zwischenablage kopiert",
    },
    share: {
      title: "Teile deinen Link",
      whatsapp: "WhatsApp",
      messenger: "Telegram",
      post: "Auf X posten",
      words: "Schick mir eine anonyme Nachricht. Ich erfahre nie, dass du es warst:",
      more: "Mehr …",
    },
  },
  qr: {
    open: "QR-Code",
    own: {
      title: "Dein Link als QR-Code",
      body: (address) => `Öffnet ${address}. Druck ihn aus, zeig ihn auf dem Beamer, kleb ihn an eine Tür.`,
    },
    room: {
      title: "Die Gruppe als QR-Code",
      body: (address) => `Öffnet ${address}. Wer ihn scannt, kann einen der ${seats} Plätze bekommen.`,
    },
    alt: (address) => `QR-Code für ${address}`,
    png: "PNG herunterladen",
    svg: "SVG herunterladen",
  },
  rooms: {
    sealed: {
      name: "Versiegelte Gruppe",
      open: "Öffne sie mit ihrem ganzen Link: Diese Seite hat den Schlüssel nicht.",
    },
    askFirst: {
      name: "Frag mich vorher",
      more: "Wer neu ist, klopft an, und du lässt jede Person herein oder nicht.",
      stop: "Ohne Anklopfen hereinlassen",
      on: "Wer neu ist, klopft jetzt an",
      off: "Wer neu ist, kommt ohne Anklopfen herein",
    },
    heading: "Meine Gruppen",
    loading: "Deine Gruppen werden geladen",
    empty: "Noch keine Gruppen. Erstelle jetzt eine",
    create: "Gruppe erstellen",
    created: (date) => `Erstellt am ${date}`,
    open: (name) => `${name}, öffnet sich in einem neuen Tab`,
    share: "Teilen",
    shareOne: (name) => `${name} teilen`,
    qrOne: (name) => `QR-Code für ${name}`,
    removeOne: (name) => `${name} löschen`,
    copied: "Link zur Gruppe in die Zwischenablage kopiert",
    removal: {
      title: (name) => `„${name}“ löschen?`,
      body: "Alle werden sofort getrennt, und alle Nachrichten und Fotos dieser Gruppe werden gelöscht.",
      action: "Löschen",
      done: "Gruppe gelöscht",
    },
    left: (time) => `noch ${time}`,
    hoursAndMinutes: (hours, minutes) => (hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`),
    seats: (active, seats, all) => {
      if (seats === 0) return "Noch niemand dabei";
      const here = active === 0 ? "Gerade niemand da" : `${active} gerade da`;
      return `${here}, ${seats} von ${all} Plätzen besetzt`;
    },
    unread: (count) => `${count > 99 ? "99+" : count} neu`,
    joined: {
      heading: "Gruppen, in denen du bist",
      lead: "Davon weiß nur dieses Gerät.",
      forget: "Vergessen",
      forgetOne: (name) => `${name} vergessen`,
      forgetTitle: (name) => `„${name}“ vergessen?`,
      forgetBody:
        "Dieses Gerät vergisst die Gruppe, dein Emoji darin und alles, was du noch nicht gesendet hast. Zurück kommst du nur über ihren Link. Deine Nachrichten bleiben, bis die Gruppe endet.",
    },
  },
  newRoom: {
    title: "Gruppe erstellen",
    heading: "Neue Gruppe",
    small: `${seats} Plätze, keine Namen`,
    lead: "Gib ihr einen Namen und teile ihren Link.",
    open: "Wer ihn öffnet, ist dabei, solange ein Platz frei ist.",
    name: {
      label: "Name der Gruppe",
      hint: `${limit.ROOM_NAME_MIN} bis ${limit.ROOM_NAME_MAX} Zeichen. Alle mit dem Link sehen ihn.`,
    },
    wand: "Namen vorschlagen",
    lifetime: "Dauer",
    hours: (hours) => `${hours} Stunden`,
    notices: {
      label: "Gut zu wissen",
      members: `Eine Gruppe hat höchstens ${seats} Mitglieder.`,
      emojis: "Jedes Mitglied bekommt ein zufälliges Emoji.",
      end: (hours) => `Nach ${hours} Stunden wird die Gruppe geschlossen und alles darin gelöscht.`,
    },
    done: {
      heading: "Nur hereinspaziert",
      lead: (name, hours) => `„${name}“ ist ${hours} Stunden lang offen. Teile diesen Link:`,
      copy: "Kopieren",
      open: "Gruppe öffnen",
      another: "Noch eine Gruppe erstellen",
    },
  },
};
