/** The server's sentences in German, by what it says: each that it refuses with, and one that it answers with. */
export const deServer: Record<string, string> = {
  // Of any call
  "Sign in to go on.": "Melde dich an, um weiterzumachen.",
  "The server is busy. Try again in a moment.": "Der Server ist beschäftigt. Versuche es gleich noch einmal.",
  "The server has no space left for this. Try again later.":
    "Der Server hat dafür keinen Platz mehr. Versuche es später noch einmal.",
  "The server can't store anything right now. Try again later.":
    "Der Server kann gerade nichts speichern. Versuche es später noch einmal.",
  "An error occured, Try again later": "Ein Fehler ist aufgetreten, versuche es später noch einmal",
  "There is nothing here.": "Hier ist nichts.",
  "Somebody was faster. Try again.": "Jemand war schneller. Versuche es noch einmal.",
  "There is no room for more of these.": "Mehr davon passen nicht hinein.",
  "Nothing to do": "Es gibt nichts zu tun",

  // Of what is sent, and how
  "That is more than this call takes.": "Das ist mehr, als diese Anfrage fasst.",
  "The picture took too long to arrive. Try again.":
    "Das Bild hat zu lange gebraucht. Versuche es noch einmal.",
  "The request took too long to arrive. Try again.":
    "Die Anfrage hat zu lange gebraucht. Versuche es noch einmal.",
  "The request was cut short. Try again.": "Die Anfrage kam unvollständig an. Versuche es noch einmal.",
  "Send JSON, with Content-Type: application/json.": "Sende JSON, mit Content-Type: application/json.",
  "The JSON is not UTF-8.": "Das JSON ist kein UTF-8.",
  "That is not valid JSON.": "Das ist kein gültiges JSON.",
  "That is not a JSON object.": "Das ist kein JSON-Objekt.",
  "A field is missing, or holds something of the wrong type.":
    "Ein Feld fehlt, oder darin steht etwas von falscher Art.",
  "The body's encoding is broken.": "Der Inhalt ist fehlerhaft gepackt.",
  "There is no such call.": "Diese Anfrage gibt es nicht.",
  "This call takes another method; the Allow header says which.":
    "Diese Anfrage verlangt eine andere Methode; welche, steht im Feld Allow.",
  "before has to be the id of a message.": "before muss die Kennung einer Nachricht sein.",
  "before has to be a place in the log.": "before muss eine Stelle im Verlauf sein.",
  "limit has to be 1 to 200.": "limit muss zwischen 1 und 200 liegen.",
  "limit has to be 1 to 500.": "limit muss zwischen 1 und 500 liegen.",
  "This call is a WebSocket; ask for an upgrade.": "Diese Anfrage ist ein WebSocket; verlange ein Upgrade.",
  "This socket is not open to pages from elsewhere.":
    "Diese Verbindung ist für Seiten von anderswo nicht offen.",

  // Of an account
  "Wrong username, email or password.": "Benutzername, E-Mail-Adresse oder Passwort stimmt nicht.",
  "incorrect password!": "Falsches Passwort!",
  "Kindly input valid login credentials": "Bitte gib gültige Anmeldedaten ein",
  "Username must be 6 characters or above": "Der Benutzername braucht 6 Zeichen oder mehr",
  "Username must be 16 characters or below": "Der Benutzername darf höchstens 16 Zeichen haben",
  "Username can only have letters, digits, - and _":
    "Der Benutzername darf nur Buchstaben von a bis z, Ziffern, - und _ enthalten",
  "This username is not available": "Dieser Benutzername ist nicht zu haben",
  "This username is already taken": "Dieser Benutzername ist schon vergeben",
  "An account with this email already exists": "Mit dieser E-Mail-Adresse gibt es schon ein Konto",
  "There is no room for another account here. Try again another day.":
    "Hier ist kein Platz für ein weiteres Konto. Versuche es an einem anderen Tag.",
  "Invalid Email Address": "Ungültige E-Mail-Adresse",
  "Invalid Email": "Ungültige E-Mail-Adresse",
  "Password must be 8 characters or above": "Das Passwort braucht 8 Zeichen oder mehr",
  "Password must be 128 bytes or below": "Das Passwort darf höchstens 128 Byte lang sein",
  "Password too short": "Das Passwort ist zu kurz",
  "Password do not match": "Die Passwörter stimmen nicht überein",
  "This link was used already or is too old. Ask for a new one.":
    "Dieser Link wurde schon benutzt oder ist zu alt. Lass dir einen neuen schicken.",
  "If an account has this address, a mail with a link is on its way. The link works for 30 minutes.":
    "Wenn ein Konto diese Adresse hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt 30 Minuten.",
  "Another account has confirmed this address first": "Ein anderes Konto hat diese Adresse zuerst bestätigt",
  "A mail with a link is on its way. The link works for 24 hours.":
    "Eine E-Mail mit einem Link ist unterwegs. Der Link gilt 24 Stunden.",
  "Your address is confirmed already": "Deine Adresse ist schon bestätigt",

  // Of notes and feedback
  "There is nobody of that name here.": "Hier gibt es niemanden mit diesem Namen.",
  "This inbox is full. Try again another day.":
    "Dieser Posteingang ist voll. Versuche es an einem anderen Tag.",
  "There is no such message in your inbox.": "Diese Nachricht gibt es in deinem Posteingang nicht.",
  "Please Lengthen your message to more than 10 Characters":
    "Bitte mach deine Nachricht länger als 10 Zeichen",
  "Please shorten your message to 280 characters": "Bitte kürze deine Nachricht auf 280 Zeichen",
  "Feedback is sent from this site's own pages.": "Feedback schickt man von den Seiten dieser Website aus.",
  "Feedback must contain over 10 characters": "Das Feedback braucht mehr als 10 Zeichen",
  "Please shorten your feedback to 4000 characters": "Bitte kürze dein Feedback auf 4000 Zeichen",
  "The feedback is not UTF-8.": "Das Feedback ist kein UTF-8.",
  "Send a form (multipart/form-data) with a field named feedback.":
    "Sende ein Formular (multipart/form-data) mit einem Feld namens feedback.",
  "The form is broken. Try again.": "Das Formular kam beschädigt an. Versuche es noch einmal.",
  "The form took too long to arrive. Try again.":
    "Das Formular hat zu lange gebraucht. Versuche es noch einmal.",

  // Of pictures
  "Others were waiting, and this picture came slowest. Try again.":
    "Andere haben gewartet, und dieses Bild kam am langsamsten. Versuche es noch einmal.",
  "Many pictures have come from where you are. Try again in a while.":
    "Von dort, wo du bist, kamen schon viele Bilder. Versuche es in einer Weile noch einmal.",
  "Send a picture of at most 5 MB.": "Schicke ein Bild von höchstens 5 MB.",
  "Send a JPEG, PNG or WebP picture.": "Schicke ein Bild in JPEG, PNG oder WebP.",
  "That picture is too large. Send one of at most 4096 by 4096 pixels.":
    "Dieses Bild ist zu groß. Schicke eines von höchstens 4096 mal 4096 Pixeln.",
  "That picture can't be read. Try another one.":
    "Dieses Bild lässt sich nicht lesen. Versuche es mit einem anderen.",
  "image_b64 is not base64.": "image_b64 ist kein Base64.",
  "There is no such picture.": "Dieses Bild gibt es nicht.",
  "That picture is not one of this group's.": "Dieses Bild gehört nicht zu dieser Gruppe.",
  "This group holds no more pictures": "Diese Gruppe fasst keine weiteren Bilder",

  // Of a group
  "Group name must be 4 characters or above": "Der Name der Gruppe muss mindestens 4 Zeichen haben",
  "Group name must be 30 characters or below": "Der Name der Gruppe darf höchstens 30 Zeichen haben",
  "A group lives for 24 hours or for 2.": "Eine Gruppe dauert 24 Stunden oder 2.",
  "You have as many groups as one account can have. Delete one first.":
    "Du hast so viele Gruppen, wie ein Konto haben kann. Lösche zuerst eine.",
  "Only the creator of this group can do that.": "Das kann nur, wer die Gruppe erstellt hat.",
  "Sorry, It Looks Like This Group Has Expired": "Diese Gruppe ist leider abgelaufen",
  "Sorry, It Looks Like This Group Is Full Already": "Diese Gruppe ist leider schon voll",
  "This group is locked": "Diese Gruppe ist abgeschlossen",
  "You were removed from this group": "Du wurdest aus dieser Gruppe entfernt",
  "You are not a member of this group": "Du bist kein Mitglied dieser Gruppe",
  "You have a seat already": "Du hast schon einen Platz",
  "A seat is taken from this site's own pages.": "Einen Platz nimmt man von den Seiten dieser Website aus.",
  "There is no such member": "Dieses Mitglied gibt es nicht",
  "There is no such member.": "Dieses Mitglied gibt es nicht.",
  "The group is busy. Try again in a moment.": "Die Gruppe ist beschäftigt. Versuche es gleich noch einmal.",
  "You are sending too fast. Wait a moment.": "Du sendest zu schnell. Warte einen Moment.",
  "There is nothing in that message.": "In dieser Nachricht steht nichts.",
  "Please shorten your message to 255 characters": "Bitte kürze deine Nachricht auf 255 Zeichen",
  "Please shorten the caption to 100 characters": "Bitte kürze die Bildunterschrift auf 100 Zeichen",
  "This message was sent already": "Diese Nachricht wurde schon gesendet",
  "This message is gone already": "Diese Nachricht gibt es nicht mehr",
  "A message can be taken back for five minutes":
    "Eine Nachricht kann fünf Minuten lang zurückgenommen werden",
  "A message's id has to be 15 letters and digits.":
    "Die Kennung einer Nachricht besteht aus 15 Buchstaben und Ziffern.",
  "That is not a frame this server understands.": "Das versteht dieser Server nicht.",
  "This socket belongs to another group.": "Diese Verbindung gehört zu einer anderen Gruppe.",
};
