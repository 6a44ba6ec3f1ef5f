import * as limit from "@/shared/contract/limits";
import type { AccountText } from "../accountText";

/** The forms for an account in German. */
export const account: AccountText = {
  signUp: {
    heading: "Hallo",
    small: "ich heiße",
    lead: "Dein Benutzername wird dein Link. Alles andere über dich bleibt privat.",
    username: {
      label: "Benutzername",
      hint: `${limit.USERNAME_MIN} bis ${limit.USERNAME_MAX} Buchstaben, Ziffern, - oder _. Alle mit deinem Link sehen ihn.`,
    },
    email: { label: "E-Mail", hint: "Wir schicken dir nur Links für dein Konto, außer du möchtest mehr." },
    password: { label: "Passwort", hint: `Mindestens ${limit.SIGNUP_PASSWORD_MIN} Zeichen.` },
    age: (years: string) => `Ich bin ${years} Jahre alt oder älter`,
    agree: "Dem stimmst du zu, und das bleibt von dir gespeichert:",
    submit: "Konto erstellen",
    invitation: {
      label: "Einladung",
      hint: "Du brauchst eine, um hier ein Konto zu erstellen. Füge den Link ein, den du bekommen hast.",
    },
    closed: {
      heading: "Geschlossen",
      small: "zurzeit",
      lead: "Neue Konten können hier gerade nicht erstellt werden. Nachrichten schreiben und Gruppen beitreten geht auch ohne.",
    },
    haveAccount: "Schon ein Konto?",
    done: "Benutzerkonto erstellt",
    welcome: (name) => `Willkommen, ${name}! Dein Link ist fertig.`,
    welcomeByMail: (name) =>
      `Willkommen, ${name}! Mit deiner E-Mail-Adresse kannst du dich anmelden, sobald du den Link in unserer E-Mail geöffnet hast.`,
  },
  login: {
    heading: "Hallo",
    small: "schön, dass du da bist",
    lead: "Schau nach, was man dir geschrieben hat.",
    identifier: "Benutzername oder E-Mail",
    submit: "Anmelden",
    forgot: "Passwort vergessen?",
    noAccount: "Noch kein Konto?",
    done: "Angemeldet",
    needsCookies:
      "Zum Anmelden braucht es Cookies und Websitedaten. Erlaube beides in den Einstellungen deines Browsers und versuche es dann erneut.",
    forThisPage:
      "Angemeldet. Dein Browser speichert keine Websitedaten: Nach dem Neuladen musst du dich wieder anmelden.",
  },
  reset: {
    title: "Passwort zurücksetzen",
    heading: "Vergessen?",
    small: "kommt vor",
    lead: "Gib die E-Mail-Adresse deines Kontos ein. Wir schicken dir einen Link für ein neues Passwort.",
    submit: "Link schicken",
    back: "Zurück zur Anmeldung",
  },
  resetConfirm: {
    title: "Neues Passwort",
    heading: "Neustart",
    small: "neues Passwort",
    lead: "Wähle ein neues Passwort. Danach musst du dich auf all deinen Geräten neu anmelden.",
    submit: "Passwort speichern",
    doneMore: "Melde dich jetzt damit an.",
    another: "Neuen Link anfordern",
  },
  confirm: {
    title: "E-Mail-Adresse bestätigen",
    asks: (name) => ({
      heading: "Ist das dein Konto?",
      small: name,
      lead: `Wenn du ${name} erstellt hast, sag Ja. Dann kannst du dich mit dieser Adresse anmelden und dein Passwort zurücksetzen, falls du es mal vergisst. Wenn nicht, sag Nein: Dann hat jemand anderes deine Adresse angegeben.`,
    }),
    yes: "Ja, das ist meins",
    no: "Nein, das ist nicht meins",
    done: "Adresse bestätigt",
    doneMore: "Du kannst dich jetzt damit anmelden.",
    refused: "Adresse nicht bestätigt",
    refusedMore: "Der Link funktioniert nicht mehr.",
  },
};
