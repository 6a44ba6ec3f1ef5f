import type { ReadingMatter } from "./enReading";

export const deReading: ReadingMatter = {
  about: {
    title: "Über uns",
    lead: "Annon tut zwei Dinge: Es trägt Nachrichten aus, die niemand unterschrieben hat, und es öffnet Räume, die sich selbst schließen.",
    sections: [
      {
        heading: "Nachrichten",
        paragraphs: [
          "Manches sagt sich leichter, wenn kein Name daransteht: ein Dank, der peinlich wäre, eine Frage, die man für dumm hält, die eine Bemerkung, die den Vortrag besser gemacht hätte. Du gibst einen Link weiter, man schreibt, du liest.",
          "Eine Nachricht hat 10 bis 280 Zeichen. Lang genug, um etwas zu bedeuten, und zu kurz, um jemanden darunter zu begraben.",
        ],
      },
      {
        heading: "Gruppen",
        paragraphs: [
          "Eine Gruppe ist ein Raum mit zehn Plätzen. Wer ihren Link öffnet und einen freien findet, bekommt ein zufälliges Emoji und ist dieses Emoji, bis der Raum schließt. Er schließt nach 24 Stunden, oder nach 2, wenn es so gewählt wurde, und nimmt alles mit, was darin gesagt wurde.",
        ],
      },
      {
        heading: "Wie es gemacht ist",
        paragraphs: [
          "Annon ist ein einziges Programm, in Rust geschrieben, das diese Web-App ausliefert und die Nachrichten und Chats trägt. Kein anderes Unternehmen ist daran beteiligt, dir eine Seite zu zeigen. Was den Server sonst verlässt, ist Post, um eine Adresse zu bestätigen oder ein Passwort zurückzusetzen.",
        ],
      },
    ],
  },
  privacy: {
    title: "Datenschutz",
    lead: "Diese Seite sagt, was der Server mit dem tut, was er bekommt. Sie beschreibt das Programm, wie es gebaut ist, nicht gute Vorsätze.",
    sections: [
      {
        heading: "Dein Konto",
        points: [
          "Gespeichert werden dein Benutzername, deine E-Mail-Adresse und ein Hash deines Passworts (argon2id). Das Passwort selbst nicht.",
          "An deine E-Mail-Adresse gehen Links: nach dem Registrieren einer, der sie bestätigt, sofern dieser Server E-Mails verschickt (er gilt einmal und 24 Stunden lang), und einer, wenn jemand ein neues Passwort anfordert (einmal, 30 Minuten). Wer sich mit deiner Adresse registriert, erfährt nicht, ob du ein Konto hast; du erfährst, dass es jemand versucht hat.",
          "Beim Anmelden bekommt dein Browser ein Token, das 2 Stunden gilt. Abmelden beendet es sofort; ein neues Passwort beendet alle anderen.",
          "Dein Browser behält das Token sowie deinen Benutzernamen und deine E-Mail-Adresse für diese 2 Stunden, jeweils in zwei Hälften: eine in einem Cookie (annon_token und _cache_), die andere, die dein Gerät nie verlässt, im Speicher des Browsers. Cookies reisen mit jeder Seite mit, die du hier öffnest, aber eine Hälfte allein ist nur Rauschen: Wer sie unterwegs mitschreibt, könnte sehen, dass Besuche aus demselben Browser kamen, nicht aus wessen. Der Server liest sie nicht; die App schickt das Token selbst, und nur bei Aufrufen, die ein Konto brauchen.",
          "Dazu behält er ein zufälliges Wort von der letzten Anmeldung, das er bei der nächsten zeigt und sonst nirgends: Während jemand dein Passwort zu erraten versucht, kommst du damit hinein. Allein öffnet es nichts.",
          "Mit dem Konto werden seine Nachrichten, Gruppen, Bilder und Token gelöscht.",
          "Ein geheimer Hash seines Namens und einer seiner Adresse können in ungenutztem Platz der Datenbank stehen bleiben. Ein Name lässt sich daraus nicht ablesen; wer aber den ganzen Server an sich nimmt, könnte prüfen, ob ein Name, den er schon vermutet, einmal ein Konto hatte.",
        ],
      },
      {
        heading: "Dein Browser",
        points: [
          "Er behält die Dateien der App, damit sie sich auch ohne Netz öffnet. Nichts, was jemand geschrieben hat, liegt dabei.",
          "Die gewählte Sprache und ob Gruppen Töne machen und Benachrichtigungen zeigen dürfen, merkt er sich, bis du es löschst, Hell oder Dunkel bis zum Schließen des Tabs.",
          "Zu jeder Gruppe, die du erstellt hast, behält dein Browser 2 Stunden lang deinen Benutzernamen, ebenso geteilt, in einem Cookie unter ihrer Nummer. Abmelden entfernt ihn, zusammen mit beiden Hälften der Anmeldung.",
        ],
      },
      {
        heading: "Nachrichten",
        points: [
          "Eine Nachricht wird mit ihrem Text gespeichert, mit der Minute, in der sie kam, und damit, ob sie gelesen wurde. Nichts Gespeichertes verbindet sie mit der Person, die sie geschickt hat.",
          "Zum Schicken braucht es kein Konto, und dein Browser schickt mit der Nachricht kein Cookie mit, auch dann nicht, wenn du angemeldet bist. Beim Öffnen der Seite, auf der du schreibst, reisen Cookies mit wie bei jeder Seite; was darin steht, sagt nichts über dein Konto.",
          "Wann eine Nachricht kommt, kann verraten, von wem sie ist: Wer im selben Moment dich und den eigenen Posteingang sieht, errät es vielleicht. Darum werden die Sekunden nicht gespeichert, und auch die Nummer einer Nachricht verrät sie nicht. Wer Nachrichten bekommt, kann sie sich gesammelt zustellen lassen, jede Viertelstunde und in keiner Reihenfolge. Wenn du sicher sein willst, schreib nicht, während man dich sieht.",
          "Nachrichten sind mit einem Schlüssel versiegelt, der zum Konto gehört, an das sie gingen. Wird das Konto gelöscht, wird dieser Schlüssel vernichtet, und nichts auf dem Server öffnet sie mehr.",
          "Einen Schlüssel vernichten heißt, ihn auf der Festplatte zu überschreiben. Auf Datenträgern, die von selbst alte Kopien behalten (Flash, Snapshots, manche Dateisysteme), lässt er sich noch eine Weile finden, wenn jemand das Gerät zerlegt. Wer den Server betreibt, wählt den Datenträger und wird vor den ungeeigneten gewarnt, die der Server erkennt.",
        ],
      },
      {
        heading: "Gruppen",
        points: [
          "Beim ersten Besuch einer Gruppe bekommt dein Browser ein zufälliges Cookie, damit du deinen Platz und dein Emoji behältst. Skripte können es nicht lesen. Es kann auch mit den anderen Seiten reisen, die du hier öffnest; nichts auf dem Server verbindet es mit einem Konto.",
          "Die Gruppe speichert statt des Cookies einen Hash aus ihm und ihrer eigenen Nummer. So lassen sich deine Plätze in zwei Gruppen nicht einander zuordnen.",
          "Dein Browser merkt sich dein Emoji unter der Nummer der Gruppe. Abgelaufene Gruppen vergisst er, wenn du das nächste Mal die erste Seite öffnest.",
          "Was du dort geschrieben oder ausgesucht und noch nicht gesendet hast, wartet in deinem Browser, bis es gesendet ist oder bis du die Gruppe nach ihrem Ende noch einmal öffnest.",
          "Eine Gruppe, die auf diesen Seiten erstellt wurde, endet nach 24 Stunden oder nach 2; für eine, die ein Programm erstellt hat, kann der Betreiber des Servers eine andere Dauer festlegen. Binnen einer Stunde danach ist von ihren Nachrichten, Bildern und Plätzen auf der Platte des Servers nichts Lesbares mehr übrig.",
          "Wer keinen Platz hat, kann weder die Mitglieder noch die Nachrichten lesen, auch nicht mit dem Link. Wer einen nimmt und mitliest, wird den anderen angekündigt.",
          "Alle mit dem Link können den Namen der Gruppe sehen, den Benutzernamen der Person, die sie erstellt hat, und wann das war.",
          "Wer entfernt wurde, ist nur an seinem Cookie zu erkennen. Mit einem anderen Browser geht es wieder hinein, solange die Gruppe nicht gesperrt ist.",
        ],
      },
      {
        heading: "Bilder",
        points: [
          "Jedes Bild wird auf dem Server neu kodiert, auch kleine und die zum Feedback. Ort, Kamera, Zeit und alle anderen Metadaten fallen weg.",
          "Die Bilder einer Gruppe sehen nur ihre Mitglieder, und sie verschwinden mit der Gruppe. Auf der Platte des Servers ist jedes mit einem eigenen Schlüssel versiegelt; verschwindet das Bild, wird sein Schlüssel überschrieben, und was von der Datei noch übrig ist, lässt sich nicht mehr lesen.",
          "Dein Browser legt keine Kopie davon auf deinem Gerät ab: Was du gesehen hast, bleibt im Arbeitsspeicher, solange die Gruppe in einem Tab offen ist, damit du zurückblättern kannst.",
        ],
      },
      {
        heading: "IP-Adressen und Protokolle",
        points: [
          "Keine IP-Adresse, kein Cookie, kein Token, keine Nachricht und kein Empfänger wird in ein Protokoll geschrieben oder in einer Statistik gezählt.",
          "Um Missbrauch zu bremsen, zählt der Server Versuche nach Adresse. Er hält die Zähler im Arbeitsspeicher unter einem geheimen Hash, dessen Schlüssel täglich wechselt und nie gespeichert wird.",
        ],
      },
      {
        heading: "Andere Beteiligte",
        points: [
          "Die Seiten laden nichts von anderen Websites: keine Schriften, keine Skripte, keine Tracker, keine Werbung. Der Browser ist angewiesen, sie abzulehnen.",
          "Folgst du einem Link aus Annon hinaus, sagt dein Browser der anderen Website nicht, von welcher Seite du kommst.",
        ],
      },
      {
        heading: "Was kein Programm versprechen kann",
        paragraphs: [
          "Nachrichten und Chats sind nicht Ende-zu-Ende-verschlüsselt: Der Server muss sie lesen, um sie zu zeigen. Wer die Maschine betreibt oder das Netz, in dem du bist, kann sehen, dass du Annon benutzt. Mitglieder können ihren Bildschirm fotografieren. Vom Server kann es Sicherungskopien geben: Was später gelöscht wird, bleibt in ihnen, und wer eine hat, kann es lesen. Und wer dich gut kennt, kennt vielleicht deine Art zu schreiben.",
        ],
      },
    ],
  },
  terms: {
    title: "Regeln",
    lead: "Wenige Regeln, weil es wenig zu regeln gibt. Wer Annon benutzt, stimmt ihnen zu.",
    sections: [
      {
        heading: "Was du verantwortest",
        paragraphs: [
          "Was du schreibst, gehört dir, und die Verantwortung dafür auch. Dass dein Name nicht gezeigt wird, ändert nichts daran, welche Gesetze für dich gelten.",
        ],
      },
      {
        heading: "Lass es",
        points: [
          "jemanden zu bedrohen, zu belästigen oder zu erpressen, oder gegen jemandes Willen zu veröffentlichen, wer er ist;",
          "zu verbreiten, was bei dir verboten ist, vor allem sexuelle Inhalte mit Minderjährigen;",
          "Posteingänge oder Gruppen zu überfluten, von Hand oder mit einem Programm, oder die Grenzen zu umgehen;",
          "so zu tun, als hätte Annon deine Nachricht geschrieben.",
        ],
      },
      {
        heading: "Dein Konto",
        paragraphs: [
          "Du brauchst eine E-Mail-Adresse, die funktioniert, sonst lässt sich ein vergessenes Passwort nicht ersetzen. Behalte das Passwort für dich. Du kannst das Konto jederzeit in den Einstellungen löschen; dann ist es gelöscht, nicht versteckt.",
        ],
      },
      {
        heading: "Worauf du nicht zählen kannst",
        paragraphs: [
          "Gruppen sind zum Verschwinden gemacht, gelöschte Konten ebenso: Du bekommst sie nicht zurück. Der Dienst wird angeboten, wie er ist. Er kann unterbrochen sein, und nichts, was du nicht verlieren darfst, sollte nur hier liegen.",
        ],
      },
      { heading: "Uns schreiben", paragraphs: ["Nimm das Feedback-Formular. Auch das braucht kein Konto."] },
    ],
  },
  blog: {
    title: "Blog",
    lead: "Bisher zwei Beiträge: einer von vor der Eröffnung, einer von dem Tag, an dem sie war.",
    posts: [
      {
        id: "launch",
        kind: "Start",
        title: "Die Türen sind offen",
        paragraphs: [
          "Annon ist da. Wähle einen Benutzernamen von 6 bis 16 Zeichen, und der Link, der darauf endet, gehört dir. Wer ihn öffnet, sieht ein Textfeld mit Platz für 280 Zeichen und keines für einen Namen.",
          "Nachrichten kommen mit Datum und Uhrzeit in deinen Posteingang. Neue sind markiert, bis du sie öffnest. Du kannst jede einzeln löschen oder alle zusammen mit deinem Konto.",
          "Auch Gruppen sind offen. Gib einer einen Namen, teile ihren Link, und bis zu zehn Leute bekommen einen Platz, jeder hinter einem zufälligen Emoji. Chattet, antwortet, schickt ein Bild mit einer Zeile dazu. Nach 24 Stunden wird die Gruppe gelöscht; nimm 2 Stunden, wenn das genügt.",
          "Was mit den Daten geschieht, steht Punkt für Punkt auf der Datenschutzseite. Ihr letzter Abschnitt nennt, was wir nicht versprechen können. Lies bitte auch den.",
          "Ist etwas kaputt oder fehlt etwas, nimmt das Feedback-Formular einen Text und, wenn es hilft, ein Bildschirmfoto.",
        ],
      },
      {
        id: "before-launch",
        kind: "Vor dem Start",
        title: "Warum wir einen Ort für Nachrichten ohne Unterschrift bauen",
        paragraphs: [
          "Bitte einen Raum um ehrliche Rückmeldung, und du bekommst höfliche. Bitte darum auf Papier, ohne Unterschrift, einmal gefaltet, und du bekommst die Wahrheit, meist freundlicher als befürchtet. Annon ist das gefaltete Papier.",
          "Ein anonymer Dienst kann auf zwei Arten scheitern. Entweder ist er nicht anonym: Adressen in den Protokollen, auf jeder Seite ein Zähler einer Werbefirma, in der Datenbank die Nummer des Absenders neben der Nachricht. Oder er behält alles für immer, und ein Leck genügt.",
          "Also haben wir mit dem begonnen, was es nicht geben soll. Keine Aufzeichnung von Netzwerkadressen. Kein Absender neben einer Nachricht. Niemand Drittes auf irgendeiner Seite. Kein Bild, das verrät, wo es aufgenommen wurde. Kein Chat, der bleibt, wenn er vorbei ist.",
          "Daraus folgen drei Entscheidungen. Nachrichten sind mit einem Schlüssel je Konto versiegelt, damit nach dem Löschen eines Kontos nichts auf dem Server seine Nachrichten mehr öffnet. Ein Platz in einer Gruppe ist ein Hash, der von Gruppe zu Gruppe ein anderer ist, damit niemand einer Person von einer zur nächsten folgen kann. Und die Grenzen gegen Missbrauch zählen unter einem Schlüssel, der täglich wechselt und nie gespeichert wird.",
          "Auch die zehn Plätze sind gewählt. In einer Gruppe von zehn kann man niemand Bestimmtes sein und trotzdem gehört werden.",
        ],
      },
    ],
  },
};
