import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import type { ReadingMatter } from "../en/reading";
import { Seats, seats } from "./numbers";

export const reading: ReadingMatter = {
  about: {
    title: "Über uns",
    lead: `${siteName} kann zwei Dinge: Es überbringt Nachrichten, die niemand unterschrieben hat, und es öffnet Räume, die sich von selbst schließen.`,
    sections: [
      [
        "Nachrichten",
        "Manches sagt sich leichter, wenn kein Name dransteht: ein Dank, der sonst peinlich wäre, eine Frage, die dir dumm vorkommt, die eine Bemerkung, die den Vortrag besser gemacht hätte. Du teilst einen Link, andere schreiben, du liest.",
        `Eine Nachricht hat ${limit.NOTE_MIN} bis ${limit.NOTE_MAX} Zeichen. Lang genug, um etwas zu bedeuten, und zu kurz, um jemanden darunter zu begraben.`,
      ],
      [
        "Gruppen",
        `Eine Gruppe ist ein Raum mit ${seats} Plätzen. Wer ihren Link öffnet, solange einer frei ist, bekommt ein zufälliges Emoji und behält es, bis der Raum schließt. Das ist nach ${limit.ROOM_LIFETIME_HOURS} Stunden oder, wenn es so gewählt wurde, nach ${limit.ROOM_SHORT_LIFETIME_HOURS}. Dann verschwindet auch alles, was darin gesagt wurde.`,
      ],
      [
        "Wie es gemacht ist",
        "Annon ist ein einziges Programm, in Rust geschrieben, das diese Web-App ausliefert und die Nachrichten und Chats überträgt. Kein anderes Unternehmen ist daran beteiligt, dir eine Seite zu zeigen. Sonst verlassen den Server nur E-Mails, um eine Adresse zu bestätigen oder ein Passwort zurückzusetzen.",
      ],
    ],
  },
  privacy: {
    title: "Datenschutz",
    lead: "Hier steht, was der Server mit dem macht, was er bekommt: wie das Programm gebaut ist, nicht was wir uns vorgenommen haben.",
    sections: [
      [
        "Dein Konto",
        "- Gespeichert werden dein Benutzername, deine E-Mail-Adresse und ein Hash deines Passworts (argon2id). Das Passwort selbst nicht.",
        `- An deine E-Mail-Adresse gehen Links: nach dem Registrieren einer, der sie bestätigt, sofern dieser Server E-Mails verschickt (er gilt einmal und ${limit.CONFIRMATION_LIFETIME_SECONDS / 3600} Stunden lang), und einer, wenn jemand ein neues Passwort anfordert (einmal, ${limit.RESET_LIFETIME_SECONDS / 60} Minuten). Wer sich mit deiner Adresse registriert, erfährt nicht, ob du ein Konto hast; du erfährst, dass es jemand versucht hat. Wenn du das anschaltest, kommt auch höchstens einmal am Tag eine E-Mail, die sagt, wie viel auf dich wartet: Zahlen, keine Worte.`,
        `- Beim Anmelden bekommt dein Browser ein Token, das ${limit.TOKEN_LIFETIME_SECONDS / 3600} Stunden gilt. Abmelden beendet es sofort; ein neues Passwort beendet alle anderen.`,
        `- Damit du siehst, wo du angemeldet bist, und es beenden kannst, wird zu jeder Anmeldung gespeichert, wie der Browser und sein System heißen („Firefox auf Android“), an welchen Tagen sie begann und zuletzt genutzt wurde, und wann sie endet: keine Adresse, kein Ort. Das ist mit dem Schlüssel deines Kontos versiegelt und geht einen Tag nach ihrem Ende. Eine aus einem Browser, den dein Konto nicht kannte, bleibt, bis du sagst, dass du es warst, oder ${limit.UNKNOWN_SIGN_IN_DAYS} Tage.`,
        `- Dein Browser behält das Token sowie deinen Benutzernamen und deine E-Mail-Adresse für diese ${limit.TOKEN_LIFETIME_SECONDS / 3600} Stunden, jeweils in zwei Hälften: eine in einem Cookie (annon_token und _cache_), die andere, die dein Gerät nie verlässt, im Speicher des Browsers. Cookies werden mit jeder Seite mitgeschickt, die du hier öffnest, aber eine Hälfte allein ist nur Rauschen: Wer sie unterwegs mitschreibt, könnte sehen, dass Besuche aus demselben Browser kamen, aber nicht, wem er gehört. Der Server liest sie nicht; die App schickt das Token selbst, und nur bei Aufrufen, die ein Konto brauchen.`,
        "- Außerdem behält er ein zufälliges Wort von deiner letzten Anmeldung, das er nur bei der nächsten vorzeigt: Versucht jemand, dein Passwort zu erraten, kommst du damit trotzdem rein. Allein öffnet es nichts.",
        "- Mit dem Konto werden seine Nachrichten, Gruppen, Fotos und Token gelöscht.",
        "- Ein geheimer Hash seines Namens und einer seiner Adresse können in ungenutztem Platz der Datenbank stehen bleiben. Ein Name lässt sich daraus nicht ablesen; wer aber den ganzen Server in die Hände bekommt, könnte prüfen, ob ein Name, den er ohnehin vermutet, einmal ein Konto hatte.",
      ],
      [
        "Dein Browser",
        "- Er behält die Dateien der App, damit sie auch ohne Netz startet. Nichts, was jemand geschrieben hat, ist dabei.",
        "- Die gewählte Sprache merkt er sich für ein Jahr, in einem Cookie, damit die Seiten in dieser Sprache kommen. Ob Gruppen Töne machen und Benachrichtigungen zeigen dürfen, und die zuletzt eingefügten Emojis merkt er sich, bis du es löschst, helles oder dunkles Design bis zum Schließen des Tabs (einen Tag lang sagt ein Cookie, dass du gewählt hast, nicht was).",
        "- Hat er dir einmal angeboten, dir von Nachrichten oder Antworten zu sagen, wenn die Seite zu ist, merkt er sich das.",
        `- Zu jeder Gruppe, die du erstellt hast, behält dein Browser ${limit.TOKEN_LIFETIME_SECONDS / 3600} Stunden lang deinen Benutzernamen, ebenso geteilt, in einem Cookie unter ihrer Kennung. Abmelden entfernt ihn, zusammen mit beiden Hälften der Anmeldung.`,
      ],
      [
        "Nachrichten",
        "- Eine Nachricht wird mit ihrem Text gespeichert, mit der Minute, in der sie ankam, und ob sie gelesen wurde: geöffnet, als Bild gespeichert oder, wenn sie kurz genug ist, vier Sekunden lang ganz zu sehen. Nichts Gespeichertes verbindet sie mit der Person, die sie geschickt hat.",
        "- Zum Schreiben braucht es kein Konto, und dein Browser schickt mit der Nachricht kein Cookie mit, auch nicht, wenn du angemeldet bist. Beim Öffnen der Seite, auf der du schreibst, werden Cookies mitgeschickt wie bei jeder Seite; was darin steht, sagt nichts über dein Konto. Was du dort schreibst, bleibt in diesem Tab, bis du es sendest oder den Tab schließt. Ohne JavaScript schickt dein Browser die Nachricht so, wie er eine Seite abruft, also mit denselben Cookies, und der Server liest daraus nur die Sprache.",
        `- Der Moment, in dem eine Nachricht ankommt, kann verraten, von wem sie ist: Wer gerade dich und den eigenen Posteingang im Blick hat, errät es vielleicht. Darum werden die Sekunden nicht gespeichert, und auch die Kennung einer Nachricht verrät sie nicht. Wer Nachrichten bekommt, kann sie sich gesammelt zustellen lassen, alle ${limit.BATCH_SECONDS / 60} Minuten und in zufälliger Reihenfolge. Willst du ganz sicher sein, schreib nicht, während man dich sehen kann.`,
        `- Damit sich jemand, der Gemeines schreibt, blockieren lässt, ohne dass jemand erfährt, wer es ist, schickt dein Browser mit einer Nachricht ein Tag mit. Er macht es aus einem zufälligen Geheimnis, das deinen Browser nie verlässt, für jeden Posteingang ein anderes. Der Server behält davon einen Hash mit Schlüssel, versiegelt neben der Nachricht, für höchstens ${limit.TAG_DAYS} Tage. So lange könnte der Server sagen, dass zwei Nachrichten eines Posteingangs von einem Browser kamen, und nichts über Nachrichten an andere. Von sich aus weiß er nicht, von welchem. Aber das Geheimnis liegt in deinem: Wer den Server und deinen Browser hat, wie vielleicht ein Gericht, könnte zeigen, dass dieser Browser die Nachricht geschrieben hat. „Vergiss mich“, weiter unten auf dieser Seite, beendet das. Der Person, die sie bekam, sagt der Server nie etwas davon. Der Hash von jemandem, der blockiert ist, bleibt auf ihrer Liste, bis sie ihn freigibt. Dass irgendein Browser mit einem Tag an einen Posteingang geschrieben hat, ohne zu welcher Nachricht, bleibt ebenso lange, auch wenn die Nachricht gelöscht ist.`,
        `- Was sich trotzdem schließen lässt: Die Person, die deine Nachricht bekommt, sieht, was darin steht, und wenn sie ihr nicht gesammelt zugestellt wird, auch, wann sie kam. Dass sie gelesen wurde, merkst du an einer Antwort. Alle können sehen, wenn jemandem in wenigen Minuten mehr als ${limit.FLOOD_NOTES} Nachrichten gezeigt werden, weil neue Browser dann erst kurz rechnen müssen. Wer so viele schickt, über mehrere Anschlüsse, kann also herausfinden, ob er blockiert ist oder wann die nächste Nachricht von jemandem kommt. Und während du sendest, sieht der Server deine Adresse und den Moment. Er behält die Minute und nicht die Adresse, aber ein anderes Programm an seiner Stelle könnte beides behalten.`,
        `- Wer einen Posteingang hat, kann Nachrichten mit bestimmten Wörtern zurückhalten. Sie werden gespeichert wie andere und nach ${limit.HELD_KEPT_SECONDS / (24 * 60 * 60)} Tagen gelöscht, wenn sie bis dahin nicht gezeigt werden.`,
        "- Nachrichten sind mit einem Schlüssel versiegelt, der zum Konto gehört, an das sie gingen. Wird das Konto gelöscht, wird dieser Schlüssel vernichtet, und nichts auf dem Server öffnet sie mehr.",
        "- Das Gerät, auf dem du deinen Posteingang liest, behält dessen neueste Seite, damit du sie auch ohne Netz lesen kannst. Sie ist mit einem Schlüssel versiegelt, der sich nicht aus deinem Browser kopieren lässt. Beides wird gelöscht, wenn du dich abmeldest, wenn dein Browser merkt, dass du anderswo abgemeldet wurdest, und wenn du dein Konto löschst. Wer deinen Browser benutzt, solange du angemeldet bist, kann sie lesen, so wie deinen Posteingang.",
        `- Versiegelst du deinen Posteingang, werden Nachrichten und Gespräche darüber in den Browsern an beiden Enden verschlossen, und der Server kann sie nicht lesen. Er sieht trotzdem, wann sie kommen, wie lang sie ungefähr sind, und welche nur für dich sind. Dein Gerät behält den Schlüssel so, dass er sich nicht aus deinem Browser kopieren lässt, bis du dich abmeldest, sich jemand anderes anmeldet oder dein Browser merkt, dass du anderswo abgemeldet wurdest. Der Server behält den Schlüssel, verschlossen mit deinem Wiederherstellungscode, der deine Geräte nie verlässt; ein Schlüssel für ein anderes Gerät wartet höchstens ${limit.HANDOVER_KEPT_SECONDS / 60} Minuten, verschlossen mit dem, was im QR-Code steht. Sind die Geräte und der Code weg, kann niemand die Nachrichten mehr lesen. Was du davon veröffentlichst oder meldest, bekommt der Server. Ein Server, der dir oder dem Absender anderen Code schickt, könnte sie lesen, ebenso einer, der einem Absender einen anderen Schlüssel gibt, dessen Link der letzte Teil fehlt.`,
        "- Einen Schlüssel vernichten heißt, ihn auf der Festplatte zu überschreiben. Auf Datenträgern, die von selbst alte Kopien behalten (Flash, Snapshots, manche Dateisysteme), lässt er sich eine Zeit lang noch finden, wenn jemand das Gerät zerlegt. Wer den Server betreibt, wählt den Datenträger und wird vor den ungeeigneten gewarnt, die der Server erkennt.",
      ],
      [
        "Öffentliche Antworten",
        "- Wer deine Nachricht bekommt, kann öffentlich darauf antworten: Deine Worte und die Antwort stehen dann auf der Seite dieser Person und unter einem eigenen Link, für alle zu lesen. Wann deine Nachricht kam, wird nicht gezeigt, und auch sonst nichts über sie.",
        "- Setzt du das Häkchen bei „Nur für“ diese Person, lehnt der Server eine Veröffentlichung ab. Diese Wahl wird mit der Nachricht gespeichert. Niemand kann einen Menschen daran hindern, deine Worte von Hand abzuschreiben.",
        "- Eine Antwort kann jederzeit zurückgezogen werden. Sie verschwindet sofort von der Seite, unter dem Link und aus Vorschauen, und innerhalb einer Stunde ist auf dem Datenträger des Servers nichts Lesbares mehr von ihr. Auch mit der Nachricht und dem Konto verschwindet sie. Suchmaschinen werden gebeten, den Link nicht aufzuführen; Kopien, die andere gemacht haben, bleiben bei ihnen.",
        "- Die Zeile und die Anregungen, die jemand auf die eigene Seite setzt, sind ebenfalls öffentlich. Sie sind mit dem Schlüssel des Kontos versiegelt und werden mit ihm gelöscht.",
      ],
      [
        "Gespräche",
        "- Möchtest du eine Antwort auf deine Nachricht, erzeugt dein Browser ein zufälliges Geheimnis und setzt es in einen privaten Link, hinter das #. Diesen Teil verschicken Browser nie. Aus dem Geheimnis leitet er eine ID und einen Schlüssel ab; der Server behält die ID und einen Hash des Schlüssels, sonst nichts über dich, und vergleicht, wenn du wiederkommst.",
        "- Wer den Link hat, hat das Gespräch. Ohne ihn könnt weder du noch wir es wiederfinden.",
        "- Der Server kann lesen, was in einem Gespräch gesagt wird, so wie er Nachrichten lesen kann, außer der Posteingang war versiegelt, als es begann. Die Nachricht und alles Gesagte sind mit einem eigenen Schlüssel versiegelt. Was du zurücknimmst, ist sofort vom Datenträger verschwunden; beendet es jemand von euch, oder wird die Nachricht oder das Konto gelöscht, wird der Schlüssel vernichtet.",
        `- Ein Gespräch wird ${limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60)} Tage nach der letzten Nachricht gelöscht, oder früher, wenn sich in einem Posteingang Tausende unbeantwortete ansammeln: Dann geht das, in dem am längsten nichts gesagt wurde. Die andere Seite sieht, was du von ihr gesehen hast.`,
        "- Lässt du deinen Browser einen privaten Link merken, behält er den Link, wessen Posteingang die Nachricht bekam, wann, und wie weit du gelesen hast, bis du ihn vergessen lässt oder das Gespräch vorbei ist; haben andere es beendet, bleibt eine Woche lang, an wen und wann die Nachricht ging und dass es beendet ist. Alle Seiten außer Gruppen und Gesprächen fragen dann einmal in der Minute den Server, ob es Antworten gibt, und zeigen ihm die Schlüssel der gemerkten Gespräche zusammen: So könnte der Server erkennen, dass sich ein Browser sie gemerkt hat. Wer deinen Browser benutzt, kann sie öffnen.",
      ],
      [
        "Gruppen",
        "- Beim ersten Besuch einer Gruppe bekommt dein Browser ein zufälliges Cookie, damit du deinen Platz und dein Emoji behältst. Skripte können es nicht lesen. (Blockiert dein Browser Cookies, merkt sich stattdessen die Seite deinen Platz, solange ihr Tab offen ist.) Es kann auch bei anderen Seiten mitgeschickt werden, die du hier öffnest; nichts auf dem Server verbindet es mit einem Konto.",
        "- Die Gruppe speichert statt des Cookies einen Hash aus ihm und ihrer eigenen Kennung. So lassen sich deine Plätze in zwei Gruppen nicht einander zuordnen.",
        "- Dein Browser merkt sich, in welchen Gruppen du bist, und zeigt sie auf der Startseite und bei deinen eigenen Gruppen: unter der Kennung jeder Gruppe ihren Namen, dein Emoji, wann sie endet und wie viele Nachrichten du gesehen hast. Diese Liste verlässt deinen Browser nie; die Startseite fragt nur nach, ob es jede Gruppe noch gibt, ohne zu sagen, wer fragt. Mit „Vergessen“ verschwindet eine Gruppe daraus, ebenso wenn du sie verlässt; abgelaufene Gruppen vergisst er, wenn du das nächste Mal eine dieser Seiten öffnest. Wer deinen Browser benutzt, kann die Liste sehen.",
        "- Eine Reaktion wird aufbewahrt wie eine Nachricht: Alle in der Gruppe sehen, von wem sie ist. Nimmst du sie zurück oder verschwindet ihre Nachricht, wird ihr Emoji überschrieben.",
        "- Wird vor einer Gruppe angeklopft, bleibt das bis zu ihrem Ende gespeichert: wann es war, das Emoji dazu, die Antwort, und ein Hash wie bei einem Platz. Wer die Gruppe erstellt hat, sieht das Emoji und sonst nichts. Die Mitglieder erfahren nicht, wer geklopft hat oder abgewiesen wurde.",
        "- Was du dort geschrieben oder ausgesucht und noch nicht gesendet hast, wartet in deinem Browser, bis es gesendet ist oder bis du die Gruppe nach ihrem Ende wieder öffnest.",
        `- Eine Gruppe, die auf diesen Seiten erstellt wurde, endet nach ${limit.ROOM_LIFETIME_HOURS} Stunden oder nach ${limit.ROOM_SHORT_LIFETIME_HOURS}; für eine, die ein Programm erstellt hat, kann der Betreiber des Servers eine andere Dauer festlegen. Spätestens eine Stunde danach ist von ihren Nachrichten, Fotos und Plätzen auf der Festplatte des Servers nichts Lesbares mehr übrig.`,
        "- Wer keinen Platz hat, kann weder die Mitglieder noch die Nachrichten lesen, auch nicht mit dem Link. Wer einen nimmt und mitliest, wird den anderen angezeigt.",
        "- Was in einer versiegelten Gruppe gesagt wird, ihre Fotos und ihr Name werden in deinem Browser verschlossen, mit einem Schlüssel, der in ihrem Link steht und nie hierher geschickt wird. Der Server bewahrt auf, was er nicht lesen kann, und sieht, welches Emoji wann sendet, wie lang es ungefähr ist, und Reaktionen. Dein Browser behält bis zum Ende der Gruppe einen Schlüssel, mit dem er unterschreibt, und was du noch nicht gesendet hast nur verschlossen. Der Schlüssel im Link steht wie jede Adresse im Verlauf deines Browsers. Ein Server, der deinem Browser anderen Code schickt, könnte ihn lesen.",
        "- Alle mit dem Link können den Namen der Gruppe sehen, den Benutzernamen der Person, die sie erstellt hat, und wann das war.",
        "- Wer entfernt wurde, ist nur am Cookie zu erkennen. Mit einem anderen Browser kommt man wieder rein, solange die Gruppe nicht gesperrt ist.",
      ],
      [
        "Fotos",
        "- Jedes Foto wird auf dem Server neu kodiert, auch kleine und die zum Feedback. Ort, Kamera, Zeit und alle anderen Metadaten fallen weg.",
        "- Die Fotos einer Gruppe sehen nur ihre Mitglieder, und sie verschwinden mit der Gruppe. Auf der Festplatte des Servers ist jedes mit einem eigenen Schlüssel versiegelt; verschwindet das Foto, wird sein Schlüssel überschrieben, und was von der Datei noch übrig ist, lässt sich nicht mehr lesen.",
        "- Dein Browser legt keine Kopie davon auf deinem Gerät ab: Was du gesehen hast, bleibt im Arbeitsspeicher, solange die Gruppe in einem Tab offen ist, damit du zurückscrollen kannst.",
      ],
      [
        "Meldungen",
        "- Wenn jemand eine Nachricht, ein Gespräch oder Nachrichten einer Gruppe meldet, kopiert der Server die ausgewählten Worte aus seinem eigenen Bestand, auch die Fotos dieser Nachrichten, dazu den Text der Meldung. Wer gemeldet hat, merkt er sich nicht; bei einem Gespräch nur, welche Seite es war. Von der Nummer, die man dafür bekommt, behält er einen geheimen Hash, so lange es die Meldung gibt. Hat die gemeldete Person ein Konto (wem eine Seite gehört, wer eine Gruppe erstellt hat, an wen die Nachricht ging), steht ihr Benutzername dabei.",
        `- Eine Meldung ist mit einem eigenen Schlüssel versiegelt, bleibt, bis die Betreiber sie schließen, und wird ${limit.REPORT_KEPT_SECONDS / (24 * 60 * 60)} Tage danach gelöscht. Bis dahin überdauert sie die Nachricht, die Gruppe oder das Konto, um die es geht.`,
        "- Bei einem gesperrten Konto stehen der Grund und das Ende der Sperre. Beides wird gelöscht, wenn sie vorbei ist, und mit dem Konto. Wer ein gesperrtes Konto löscht, hinterlässt einen geheimen Hash seines Namens und einen seiner bestätigten Adresse: Bis die Sperre vorbei gewesen wäre, kann sich damit niemand registrieren.",
      ],
      [
        "IP-Adressen und Protokolle",
        "-- Keine IP-Adresse, kein Cookie, kein Token, keine Nachricht und kein Empfänger wird in ein Protokoll geschrieben oder in einer Statistik gezählt.",
        "-+ Der Betreiber dieser Seite führt ein Protokoll, um Angreifer fernzuhalten: Wenn jemand sich vergeblich anmeldet, keine Registrierung bekommt oder gebremst wird, weil es zu viele Anfragen sind, stehen darin die Zeit, was es war, und die IP-Adresse. Kein anderes Protokoll enthält IP-Adressen, und keines einen Namen, ein Cookie, ein Token, eine Nachricht oder einen Empfänger.",
        "- Um Missbrauch zu bremsen, zählt der Server Versuche nach Adresse. Er hält die Zähler im Arbeitsspeicher unter einem geheimen Hash, dessen Schlüssel täglich wechselt und nie gespeichert wird.",
      ],
      [
        "Andere Beteiligte",
        "- Die Seiten laden nichts von anderen Websites: keine Schriften, keine Skripte, keine Tracker, keine Werbung. Der Browser ist angewiesen, sie abzulehnen.",
        `- Folgst du einem Link aus ${siteName} hinaus, sagt dein Browser der anderen Website nicht, von welcher Seite du kommst.`,
        "- Lässt du dir von einem Browser Bescheid geben, wenn Nachrichten oder Antworten kommen oder sich in deinen Gruppen etwas tut, während keine Seite offen ist, überbringt das eine Firma, die der Hersteller des Browsers ausgesucht hat: Google, Mozilla, Apple oder Microsoft. Sie erfährt, welches deiner Geräte von dieser Seite etwas gesagt bekommt, und wann, bis zu einer halben Minute später. Lesen kann sie es nicht, und es enthält keine Worte, Namen oder Links von irgendwem. Der Server behält die Adresse, die dein Browser von dieser Firma bekommen hat, was du gewählt hast und den Tag, versiegelt mit dem Schlüssel deines Kontos, oder mit dem des Gesprächs, wenn du hier kein Konto hast; für eine Gruppe, in der du bist, mit dem Schlüssel des Kontos, das sie erstellt hat. Er vergisst sie, wenn du es ausschaltest, dein Passwort in einem anderen Browser änderst, das Konto oder das Gespräch löschst oder deinen Platz in der Gruppe nicht mehr hast; bis das gelöscht ist, können alte Dateien auf der Festplatte des Servers sie noch enthalten. So lange könnte der Server erkennen, dass ein Gespräch und ein Konto, oder zwei Gespräche, in demselben Browser Bescheid bekommen.",
        "- E-Mails gehen über den Mailserver, den die Betreiber benutzen, und über deinen. Beide sehen deine Adresse und was darin steht: deinen Benutzernamen und einen Link, der einmal gilt, oder wie viel auf dich wartet.",
      ],
      [
        "Feedback",
        "- Feedback wird mit seinem Text gespeichert, mit der Zeit, zu der es kam, und dem Foto, das du anhängst, versiegelt mit einem eigenen Schlüssel. Wer es geschickt hat, wird nicht festgehalten: Schreib deine Adresse hinein, wenn du eine Antwort möchtest. Die Betreiber lesen es und löschen es, wenn sie damit fertig sind.",
      ],
      [
        "Deine Rechte",
        "- Du kannst die Betreiber fragen, was zu deinem Konto gespeichert ist, eine Kopie davon bekommen, die auch Programme lesen können, und es berichtigen oder löschen lassen. Das meiste kannst du selbst, in den Einstellungen und im Posteingang.",
        "- Was du ohne Konto geschickt hast, lässt sich auf Nachfrage nicht finden: Nichts Gespeichertes sagt, dass es von dir ist. Hast du den Link eines Gesprächs behalten, kannst du es dort beenden, und ein Foto oder eine Nachricht in einer Gruppe nimmst du selbst zurück.",
        "- Findest du, dass mit deinen Daten falsch umgegangen wird, kannst du dich auch bei der Datenschutzbehörde deines Wohnorts beschweren.",
      ],
      [
        "Was kein Programm versprechen kann",
        `Nachrichten und Chats, die nicht versiegelt sind, sind nicht Ende-zu-Ende-verschlüsselt: Der Server muss sie lesen, um sie zu zeigen. Wer die Maschine betreibt oder das Netz, in dem du bist, kann sehen, dass du ${siteName} benutzt. Mitglieder können ihren Bildschirm fotografieren. Vom Server kann es Sicherungskopien geben: Was später gelöscht wird, bleibt in ihnen, und wer eine hat, kann es lesen. Und wer dich gut kennt, kennt vielleicht deine Art zu schreiben.`,
      ],
    ],
  },
  kept: {
    heading: "Was wie lange bleibt",
    what: "Was",
    long: "Wie lange",
    rows: [
      [
        "Ein Konto mit Benutzername, E-Mail-Adresse und Hash des Passworts",
        "bis es gelöscht wird",
        "no-accounts",
      ],
      [
        "Ein Konto mit Benutzername, E-Mail-Adresse und Hash des Passworts",
        `bis es gelöscht wird, oder {days} Tage nach dem Monat, in dem es zuletzt benutzt wurde; ${limit.UNUSED_TOLD_BEFORE_SECONDS / (24 * 60 * 60)} Tage vorher kommt eine E-Mail, wenn die Adresse bestätigt ist`,
        "accounts",
      ],
      [
        "In welchem Monat ein Konto zuletzt benutzt wurde",
        "bis es in einem anderen benutzt oder gelöscht wird",
        "accounts",
      ],
      [
        "Geheime Hashes von Name und Adresse eines Kontos, das beim Löschen gesperrt war",
        "bis die Sperre vorbei gewesen wäre",
      ],
      ["Eine Sperre mit ihrem Grund", "bis sie vorbei ist oder das Konto gelöscht wird"],
      [
        "Dass du eine E-Mail am Tag willst, seit wann, und wann zuletzt nachgesehen wurde",
        "bis du es abschaltest oder das Konto gelöscht wird",
      ],
      [
        "Die Zeile und die Anregungen einer Seite",
        "bis sie geändert werden; unlesbar, wenn das Konto gelöscht wird",
      ],
      ["Eine Nachricht", "bis sie oder das Konto gelöscht wird, an das sie ging", "no-notes"],
      [
        "Eine Nachricht",
        "{days} Tage oder so lange ihr Gespräch dauert, wenn sie oder das Konto, an das sie ging, nicht vorher gelöscht wird; ihre öffentliche Antwort geht mit ihr",
        "notes",
      ],
      [
        "Eine zurückgehaltene Nachricht",
        `${limit.HELD_KEPT_SECONDS / (24 * 60 * 60)} Tage, wenn sie nicht vorher gezeigt oder gelöscht wird`,
      ],
      ["Der geheime Hash, der eine doppelt geschickte Nachricht wiedererkennt", "höchstens zwei Tage"],
      [
        "Der geheime Hash des Tags, mit dem jemand geschrieben hat",
        `${limit.TAG_DAYS} Tage; wer blockiert ist: bis zum Freigeben`,
      ],
      [
        "Zurückhaltewörter, Blockierte und andere Einstellungen eines Posteingangs",
        "bis sie geändert werden oder das Konto gelöscht wird",
      ],
      ["Eine öffentliche Antwort", "bis sie zurückgezogen oder ihre Nachricht oder das Konto gelöscht wird"],
      [
        "Ein Gespräch",
        `${limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60)} Tage nach der letzten Nachricht, oder bis es jemand von beiden beendet oder sich Tausende unbeantwortete ansammeln`,
      ],
      [
        "Eine Gruppe mit Nachrichten, Fotos, Links, Plätzen und Anklopfen",
        `${limit.ROOM_SHORT_LIFETIME_HOURS} oder ${limit.ROOM_LIFETIME_HOURS} Stunden, und bis zu einer Stunde mehr, bis nichts davon mehr lesbar ist`,
      ],
      ["Feedback mit seinem Foto", "bis die Betreiber es löschen", "no-feedback"],
      ["Feedback mit seinem Foto", "höchstens {days} Tage", "feedback"],
      ["Eine Meldung", `${limit.REPORT_KEPT_SECONDS / (24 * 60 * 60)} Tage, nachdem sie geschlossen wurde`],
      ["Eine Einladung", "bis sie verbraucht, abgelaufen oder widerrufen ist"],
      [
        "Ein Link aus einer E-Mail",
        `${limit.RESET_LIFETIME_SECONDS / 60} Minuten für ein neues Passwort, ${limit.CONFIRMATION_LIFETIME_SECONDS / 3600} Stunden zum Bestätigen, oder bis er benutzt wird`,
      ],
      ["Eine Anmeldung", `${limit.TOKEN_LIFETIME_SECONDS / 3600} Stunden, oder bis du dich abmeldest`],
      [
        "Welcher Browser sich angemeldet hat und an welchen Tagen",
        `einen Tag länger als die Anmeldung; aus einem unbekannten Browser, bis du es gesehen hast, höchstens ${limit.UNKNOWN_SIGN_IN_DAYS} Tage`,
      ],
      ["Zähler von Versuchen nach Adresse, im Arbeitsspeicher", "höchstens einen Tag"],
      ["IP-Adressen im Protokoll zur Abwehr von Angriffen", "höchstens {days} Tage", "events"],
      [
        "IP-Adressen im Protokoll zur Abwehr von Angriffen",
        "so lange die Betreiber sie aufheben",
        "endless-events",
      ],
      ["Sicherungskopien", "so lange die Betreiber sie aufheben"],
    ],
  },
  contact: "So erreichst du den Betreiber:",
  ownWords: `Vom Betreiber von ${siteName}`,
  forgetMe: {
    heading: "Vergiss mich",
    body: "Lässt diesen Browser das Geheimnis hinter seinen Tags vergessen. Posteingänge, die ihn kennen, halten ihn dann für einen anderen, und wer dieses Gerät in die Hände bekommt, kann damit nicht mehr zeigen, welche Nachrichten es geschickt hat.",
    action: "Vergiss mich",
    done: "Dieser Browser hat jetzt keine Tags",
  },
  imprint: {
    title: "Impressum",
    lead: `Wer ${siteName} betreibt, in eigenen Worten.`,
    sections: [],
  },
  terms: {
    // With a soft hyphen: in large letters the word is wider than a phone.
    title: "Nutzungs\u00ADbedingungen",
    lead: `Wenige Regeln, weil es wenig zu regeln gibt. Wenn du ${siteName} benutzt, stimmst du ihnen zu.`,
    sections: [
      [
        "Wofür du verantwortlich bist",
        "Was du schreibst, gehört dir, und die Verantwortung dafür auch. Auch wenn dein Name nicht zu sehen ist, gelten für dich dieselben Gesetze.",
      ],
      [
        "Lass es",
        "- andere zu bedrohen, zu belästigen, zu erpressen oder gegen ihren Willen zu verraten, wer sie sind;",
        "- etwas zu verbreiten, was bei dir verboten ist, vor allem sexuelle Inhalte mit Minderjährigen;",
        "- Posteingänge oder Gruppen zu überfluten, von Hand oder mit einem Programm, oder die Limits zu umgehen;",
        `- so zu tun, als hätte ${siteName} deine Nachricht geschrieben.`,
      ],
      [
        "Melden",
        "Melde, was gegen diese Regeln verstößt: eine Nachricht über ihr Menü im Posteingang, ein Gespräch über sein Menü, eine Nachricht in einer Gruppe über deren eigenes Menü, und jede Seite von außen, ohne Konto, auf der Seite „Melden“. Dadurch verschwindet noch nichts: Erst muss jemand die Meldung lesen.",
        "Wer diese Website betreibt, kann ein Konto löschen, eine Gruppe schließen oder ein Konto eine Zeit lang sperren. So lange ist dessen Seite nicht verfügbar, und es kann keine Gruppen erstellen und niemandem schreiben. Melde dich an, dann steht auf deiner Startseite, warum und bis wann. Die Sperre endet, ohne dass du etwas tun musst; lesen und löschen, was dir gehört, kannst du die ganze Zeit.",
      ],
      [
        "Dein Konto",
        "Du brauchst eine E-Mail-Adresse, die funktioniert, sonst lässt sich ein vergessenes Passwort nicht zurücksetzen. Behalte dein Passwort für dich. Du kannst dein Konto jederzeit in den Einstellungen löschen; dann ist es wirklich gelöscht, nicht nur versteckt.",
      ],
      [
        "Worauf du dich nicht verlassen kannst",
        "Gruppen sind zum Verschwinden gemacht, gelöschte Konten ebenso: Du bekommst sie nicht zurück. Der Dienst wird angeboten, wie er ist. Er kann mal ausfallen. Heb also nichts nur hier auf, was du nicht verlieren darfst.",
      ],
      ["Uns schreiben", "Nimm das Feedback-Formular. Auch dafür brauchst du kein Konto."],
    ],
  },
  blog: {
    title: "Blog",
    lead: "Bisher zwei Beiträge: einer von vor der Eröffnung, einer vom Tag selbst.",
    posts: [
      {
        id: "launch",
        kind: "Start",
        title: "Die Türen sind offen",
        paragraphs: [
          `Annon ist da. Wähle einen Benutzernamen mit ${limit.USERNAME_MIN} bis ${limit.USERNAME_MAX} Zeichen, und der Link, der darauf endet, gehört dir. Wer ihn öffnet, sieht ein Textfeld mit Platz für ${limit.NOTE_MAX} Zeichen und keines für einen Namen.`,
          "Nachrichten kommen mit Datum und Uhrzeit in deinen Posteingang. Neue sind markiert, bis du sie öffnest. Du kannst jede einzeln löschen oder alle zusammen mit deinem Konto.",
          `Auch Gruppen sind offen. Gib einer einen Namen, teile ihren Link, und bis zu ${seats} Leute bekommen einen Platz, jeder hinter einem zufälligen Emoji. Ihr könnt chatten, antworten und Fotos mit Bildunterschrift schicken. Nach ${limit.ROOM_LIFETIME_HOURS} Stunden wird die Gruppe gelöscht; wähle ${limit.ROOM_SHORT_LIFETIME_HOURS}, wenn das reicht.`,
          "Was mit den Daten geschieht, steht Punkt für Punkt auf der Datenschutzseite. Ihr letzter Abschnitt nennt, was wir nicht versprechen können. Bitte lies auch den.",
          "Ist etwas kaputt oder fehlt etwas? Schreib es uns ins Feedback-Formular, gern mit Screenshot.",
        ],
      },
      {
        id: "before-launch",
        kind: "Vor dem Start",
        title: "Warum wir einen Ort für Nachrichten ohne Unterschrift bauen",
        paragraphs: [
          "Bitte einen Raum um ehrliche Rückmeldung, und du bekommst höfliche. Bitte darum auf Papier, ohne Unterschrift, einmal gefaltet, und du bekommst die Wahrheit, meist freundlicher als befürchtet. Annon ist das gefaltete Papier.",
          "Ein anonymer Dienst kann auf zwei Arten scheitern. Entweder ist er nicht anonym: Adressen in den Protokollen, auf jeder Seite ein Tracker einer Werbefirma, in der Datenbank die Kennung des Absenders neben der Nachricht. Oder er behält alles für immer, und ein Leck genügt.",
          "Also haben wir mit dem begonnen, was es nicht geben soll. Kein Absender und keine IP-Adresse neben einer Nachricht. Keine Dritten auf irgendeiner Seite. Kein Foto, das verrät, wo es aufgenommen wurde. Kein Chat, der bleibt, wenn er vorbei ist.",
          "Daraus folgen drei Entscheidungen. Nachrichten sind mit einem Schlüssel je Konto versiegelt, damit nach dem Löschen eines Kontos nichts auf dem Server seine Nachrichten mehr öffnet. Ein Platz in einer Gruppe ist ein Hash, der von Gruppe zu Gruppe ein anderer ist, damit niemand einer Person von einer zur nächsten folgen kann. Und die Limits gegen Missbrauch zählen unter einem Schlüssel, der täglich wechselt und nie gespeichert wird.",
          `Auch die ${seats} Plätze sind Absicht. In einer ${Seats}ergruppe kannst du irgendwer sein und wirst trotzdem gehört.`,
        ],
      },
    ],
  },
};
