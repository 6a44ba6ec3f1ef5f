import * as limit from "@/shared/contract/limits";
import type { SealedInboxText } from "../sealedInboxText";

const MINUTES = limit.HANDOVER_KEPT_SECONDS / 60;

export const sealedInbox: SealedInboxText = {
  mark: "Versiegelt",
  about: {
    heading: "Dein Posteingang ist versiegelt",
    offer: "Posteingang versiegeln",
    lead: "Nachrichten werden im Browser des Absenders verschlossen. Nur deine Geräte haben den Schlüssel, diese Seite nicht.",
    protects:
      "Wer diese Seite betreibt oder ihre Festplatte nimmt, kann weder deine Nachrichten lesen noch, was in Gesprächen darüber steht.",
    knows:
      "Zu sehen ist dort, wann eine Nachricht kommt, wie lang sie ungefähr ist, ob sie nur für dich ist, und was du öffentlich antwortest.",
    not: [
      "Sind alle deine Geräte und der Wiederherstellungscode weg, kann niemand diese Nachrichten je wieder lesen. Dein Konto bleibt.",
      "Es schützt nicht vor jemandem, der dein Gerät oder deinen Wiederherstellungscode hat.",
      "Es schützt nicht, wenn diese Seite dir oder dem Absender anderen Code schickt. Oder wenn sie Absendern, deren Link der letzte Teil fehlt, einen anderen Schlüssel gibt.",
      "Nachrichten von vorher bleiben, wie sie sind: Diese Seite könnte sie lesen.",
    ],
    check: "Code prüfen",
    needsHttps: "Dieser Browser kann hier nichts versiegeln: Dazu muss die Seite über https kommen.",
  },
  openNotes: {
    name: "Auch unversiegelte Nachrichten annehmen",
    more: "Von Browsern, die nicht versiegeln können, zum Beispiel ohne Skripte. Diese Seite könnte sie lesen.",
    on: "Deine Seite nimmt auch unversiegelte Nachrichten an",
    off: "Deine Seite nimmt nur versiegelte Nachrichten an",
  },
  begin: "Posteingang versiegeln",
  begun: "Dein Posteingang ist versiegelt",
  code: {
    title: "Dein Wiederherstellungs\u00ADcode",
    body: "Er öffnet deine Nachrichten auf einem neuen Gerät, oder wenn dieses weg ist. Du siehst ihn nur jetzt: Diese Seite hat ihn nicht. Gut aufgehoben ist er in einem Passwortmanager oder auf Papier.",
    label: "Wiederherstellungscode",
    copy: "Kopieren",
    copied: "Wiederherstellungscode kopiert",
    print: "Drucken",
    sheet: (name, site) => `Wiederherstellungscode für den Posteingang von ${name} auf ${site}`,
    keep: "Heb das auf, wo nur du es findest.",
    kept: "Ich habe ihn aufgehoben",
  },
  confirm: {
    title: "Hast du ihn?",
    body: (nth) =>
      `Sieh nach, wo du deinen Wiederherstellungscode aufgehoben hast, und gib die ${nth} Gruppe ein.`,
    nth: ["erste", "zweite", "dritte", "vierte", "fünfte"],
    label: (nth) => `Die ${nth} Gruppe`,
    wrong: (nth) => `Das ist nicht die ${nth} Gruppe deines Codes.`,
    again: "Code wieder zeigen",
    action: "Fertig",
  },
  settings: {
    here: "Dieses Gerät hat den Schlüssel.",
    notHere: "Dieses Gerät hat den Schlüssel nicht, deshalb kann es deine Nachrichten nicht öffnen.",
    otherHere:
      "Dieses Gerät hat einen älteren Schlüssel, der neue Nachrichten nicht öffnet. Hast du auf keinem anderen Gerät einen neuen gemacht, war es jemand anderes: Ändere dann dein Passwort.",
    link: "Dein Link nennt im letzten Teil deinen Schlüssel, damit die Browser der Absender einen falschen bemerken. Teile ihn ganz.",
    protects: "Wovor das Versiegeln schützt und wovor nicht",
    rows: {
      unlock: { name: "Mit Wiederherstellungs\u00ADcode öffnen", more: "Gibt diesem Gerät den Schlüssel" },
      handover: { name: "Auf anderem Gerät öffnen", more: "Mit einem QR-Code" },
      newCode: {
        name: "Neuer Wiederherstellungs\u00ADcode",
        more: "Wenn er weg ist. Nachrichten und Link bleiben gleich.",
      },
      newKey: {
        name: "Neuer Schlüssel",
        more: "Wenn jemand anderes ihn haben könnte, oder nichts mehr deine Nachrichten öffnet",
      },
      off: { name: "Nicht mehr versiegeln", more: "Neue Nachrichten kommen unversiegelt" },
      again: { name: "Wieder versiegeln", more: "Mit demselben Schlüssel und Wiederherstellungs\u00ADcode" },
    },
  },
  off: {
    title: "Posteingang nicht mehr versiegeln?",
    body: "Neue Nachrichten kommen unversiegelt, und diese Seite könnte sie lesen. Versiegelte bleiben versiegelt, und deine Geräte behalten den Schlüssel.",
    action: "Nicht mehr versiegeln",
    done: "Neue Nachrichten kommen unversiegelt",
  },
  isOff: "Neue Nachrichten kommen jetzt unversiegelt. Die vorher versiegelten bleiben es.",
  newCode: {
    title: "Neuen Wiederherstellungs\u00ADcode machen?",
    body: "Der alte gilt dann nicht mehr. Dein Schlüssel bleibt derselbe, deine Nachrichten und dein Link auch.",
    action: "Neuer Code",
    done: "Ab jetzt gilt dein neuer Wiederherstellungscode",
  },
  newKey: {
    title: "Neuen Schlüssel machen?",
    body: "Für den Fall, dass dein Code weg ist oder jemand anderes ihn hat. Alle jetzt versiegelten Nachrichten werden auf jedem Gerät unlesbar, auch ihre Gespräche. Dein Link bekommt ein neues Ende, teile ihn also neu. Andere Geräte brauchen den neuen Code.",
    action: "Neuen Schlüssel machen",
    done: "Dein Posteingang hat einen neuen Schlüssel",
  },
  unlock: {
    title: "Nachrichten hier öffnen",
    action: "Öffnen",
    body: "Tippe deinen Wiederherstellungscode ein oder füge ihn ein. Er bleibt auf diesem Gerät.",
    label: "Wiederherstellungscode",
    hint: "Großbuchstaben, Leerzeichen und Bindestriche sind egal.",
    length: "Ein Zeichen fehlt, oder es ist eins zu viel.",
    sign: "Darin steht ein Zeichen, das kein Wiederherstellungscode hat.",
    mistyped: "Ein Zeichen ist falsch, oder zwei sind vertauscht. Vergleiche Zeichen für Zeichen.",
    wrong: "Das ist ein Wiederherstellungscode, aber nicht der dieses Posteingangs. Vielleicht ein älterer.",
    done: "Dieses Gerät öffnet jetzt deine Nachrichten",
    gone: "Dein Posteingang ist nicht mehr versiegelt.",
    keeps: "Dieses Gerät behält den Schlüssel, bis du dich hier abmeldest.",
  },
  handover: {
    title: "Auf anderem Gerät öffnen",
    body: `Scanne das mit dem anderen Gerät. Es geht einmal, ${MINUTES} Minuten lang, und nur, wenn du dort mit demselben Konto angemeldet bist.`,
    alt: "QR-Code, der deinen Schlüssel übergibt",
    over: "Dieser Code gilt nicht mehr.",
    again: "Neuen zeigen",
  },
  open: {
    title: "Posteingang hier öffnen",
    heading: "Schlüssel",
    small: "von deinem anderen Gerät",
    taking: "Der Schlüssel kommt von deinem anderen Gerät…",
    done: (name) => `Dieses Gerät öffnet jetzt die Nachrichten von ${name}.`,
    keyless: "Diesem Link fehlt der letzte Teil. Scanne den Code auf deinem anderen Gerät.",
    gone: `Hier ist nichts abzuholen. Der Code wurde benutzt, ist älter als ${MINUTES} Minuten oder gehört zu einem anderen Konto.`,
    wrong: "Das ist nicht der Code, den dein anderes Gerät jetzt zeigt. Scanne ihn neu.",
    who: (name) => `Du bist als ${name} angemeldet.`,
    byCode: "Wiederherstellungs\u00ADcode benutzen",
  },
  note: {
    opening: "Wird geöffnet…",
    broken: "Diese Nachricht lässt sich nicht öffnen",
    brokenMore: "Sie wurde mit einem anderen Schlüssel versiegelt oder unterwegs verändert.",
    keyless: "Dieses Gerät kann diese Nachricht nicht öffnen",
    stale: "Diesem Gerät fehlt der neue Schlüssel für diese Nachricht",
    held: "Wegen deiner Wörter zurückgehalten",
    show: "Zeigen",
    showOne: (when) => `Die Nachricht vom ${when} zeigen`,
    talk: "Lässt sich nicht öffnen",
    block: "Eine versiegelte Nachricht",
  },
  keyless: {
    body: "Dein Posteingang ist versiegelt, und dieses Gerät hat den Schlüssel nicht.",
    stale:
      "Dein Posteingang hat auf einem anderen Gerät einen neuen Schlüssel bekommen. Warst du das nicht, ändere dein Passwort.",
    open: "Mit Wiederherstellungs\u00ADcode öffnen",
  },
};
