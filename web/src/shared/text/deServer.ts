/** The server's sentences in German, by what it says: each that it refuses with, and one that it answers with. */
export const deServer: Record<string, string> = {
  // Of any call
  "Sign in to continue.": "Bitte melde dich an.",
  "The server is busy. Try again in a moment.":
    "Der Server hat gerade viel zu tun. Versuche es gleich noch mal.",
  "The server has no space left for this. Try again later.":
    "Der Server hat dafür keinen Platz mehr. Versuche es später erneut.",
  "The server can't store anything right now. Try again later.":
    "Der Server kann gerade nichts speichern. Versuche es später erneut.",
  "An error occured, Try again later": "Ein Fehler ist aufgetreten, versuche es später erneut",
  "There is nothing here.": "Hier ist nichts.",
  "Someone got there first. Try again.": "Jemand war schneller. Versuche es erneut.",
  "There's no room for more of these.": "Mehr davon passen nicht rein.",
  "Nothing to do": "Es gibt nichts zu tun",

  // Of what is sent, and how
  "That is more than this call takes.": "Das ist mehr, als diese Anfrage fasst.",
  "The picture took too long to arrive. Try again.": "Das Bild hat zu lange gebraucht. Versuche es erneut.",
  "The request took too long to arrive. Try again.":
    "Die Anfrage hat zu lange gebraucht. Versuche es erneut.",
  "The request was cut short. Try again.": "Die Anfrage kam unvollständig an. Versuche es erneut.",
  "Send JSON, with Content-Type: application/json.": "Sende JSON, mit Content-Type: application/json.",
  "The JSON is not UTF-8.": "Das JSON ist kein UTF-8.",
  "That is not valid JSON.": "Das ist kein gültiges JSON.",
  "That is not a JSON object.": "Das ist kein JSON-Objekt.",
  "A field is missing, or holds something of the wrong type.": "Ein Feld fehlt oder enthält etwas Falsches.",
  "The body's encoding is broken.": "Der Inhalt ist fehlerhaft gepackt.",
  "There is no such call.": "Diese Anfrage gibt es nicht.",
  "This call takes another method; the Allow header says which.":
    "Diese Anfrage verlangt eine andere Methode; welche, steht im Feld Allow.",
  "before has to be the id of a message.": "before muss die Kennung einer Nachricht sein.",
  "before has to be a place in the log.": "before muss eine Stelle im Verlauf sein.",
  "limit has to be 1 to 200.": "limit muss zwischen 1 und 200 liegen.",
  "limit has to be 1 to 500.": "limit muss zwischen 1 und 500 liegen.",
  "This call is a WebSocket; ask for an upgrade.": "Diese Anfrage ist ein WebSocket; verlange ein Upgrade.",
  "This socket is not open to pages from elsewhere.": "Diese Verbindung ist für andere Websites nicht offen.",

  // Of an account
  "Wrong username, email or password.": "Benutzername, E-Mail-Adresse oder Passwort stimmt nicht.",
  "incorrect password!": "Falsches Passwort!",
  "Kindly input valid login credentials": "Bitte gib gültige Anmeldedaten ein",
  "Username must be 6 characters or above": "Der Benutzername braucht mindestens 6 Zeichen",
  "Username must be 16 characters or below": "Der Benutzername darf höchstens 16 Zeichen haben",
  "Username can only have letters, digits, - and _":
    "Der Benutzername darf nur Buchstaben von a bis z, Ziffern, - und _ enthalten",
  "This username is not available": "Dieser Benutzername ist nicht verfügbar",
  "This username is already taken": "Dieser Benutzername ist schon vergeben",
  "An account with this email already exists": "Mit dieser E-Mail-Adresse gibt es schon ein Konto",
  "There is no room for another account here. Try again another day.":
    "Hier ist kein Platz für ein weiteres Konto. Versuche es an einem anderen Tag.",
  "Invalid Email Address": "Ungültige E-Mail-Adresse",
  "Invalid Email": "Ungültige E-Mail-Adresse",
  "Password must be 8 characters or above": "Das Passwort braucht mindestens 8 Zeichen",
  "Password must be 128 bytes or below": "Das Passwort darf höchstens 128 Byte lang sein",
  "Password too short": "Das Passwort ist zu kurz",
  "Password do not match": "Die Passwörter stimmen nicht überein",
  "This link has already been used or is too old. Get a new one.":
    "Dieser Link wurde schon benutzt oder ist zu alt. Lass dir einen neuen schicken.",
  "If there's an account with this address, we've emailed it a link. The link works for 30 minutes.":
    "Gibt es ein Konto mit dieser Adresse, haben wir dorthin einen Link geschickt. Er gilt 30 Minuten.",
  "Another account confirmed this address first": "Ein anderes Konto hat diese Adresse schon bestätigt",
  "We've emailed you a link. It works for 24 hours.":
    "Wir haben dir einen Link geschickt. Er gilt 24 Stunden.",
  "Your address is already confirmed": "Deine Adresse ist schon bestätigt",

  // Of notes and feedback
  "No one here goes by that name.": "Hier heißt niemand so.",
  "This inbox is full. Try again another day.":
    "Dieser Posteingang ist voll. Versuche es an einem anderen Tag.",
  "There is no such message in your inbox.": "Diese Nachricht gibt es in deinem Posteingang nicht.",
  "Please Lengthen your message to more than 10 Characters": "Bitte schreib mehr als 10 Zeichen",
  "Please shorten your message to 280 characters": "Bitte kürze deine Nachricht auf 280 Zeichen",
  "Feedback is sent from this site's own pages.": "Feedback kannst du nur auf dieser Website schicken.",
  "Feedback must contain over 10 characters": "Dein Feedback braucht mehr als 10 Zeichen",
  "Please shorten your feedback to 4000 characters": "Bitte kürze dein Feedback auf 4000 Zeichen",
  "The feedback is not UTF-8.": "Das Feedback ist kein UTF-8.",
  "Send a form (multipart/form-data) with a field named feedback.":
    "Sende ein Formular (multipart/form-data) mit einem Feld namens feedback.",
  "The form is broken. Try again.": "Das Formular kam beschädigt an. Versuche es erneut.",
  "The form took too long to arrive. Try again.": "Das Formular hat zu lange gebraucht. Versuche es erneut.",

  // Of pictures
  "Others were waiting, and this picture was the slowest. Try again.":
    "Andere haben gewartet, und dieses Bild war am langsamsten. Versuche es erneut.",
  "Many pictures have come from your network. Try again in a while.":
    "Aus deinem Netz kamen schon viele Bilder. Versuche es später erneut.",
  "Send a picture of at most 5 MB.": "Schick ein Bild mit höchstens 5 MB.",
  "Send a JPEG, PNG or WebP picture.": "Schick ein Bild als JPEG, PNG oder WebP.",
  "That picture is too large. Send one of at most 4096 by 4096 pixels.":
    "Dieses Bild ist zu groß. Schick eins mit höchstens 4096 × 4096 Pixeln.",
  "That picture can't be read. Try another one.":
    "Dieses Bild lässt sich nicht lesen. Versuche es mit einem anderen.",
  "image_b64 is not base64.": "image_b64 ist kein Base64.",
  "There is no such picture.": "Dieses Bild gibt es nicht.",
  "That picture is not one of this group's.": "Dieses Bild gehört nicht zu dieser Gruppe.",
  "This group can't hold any more pictures": "In diese Gruppe passen keine Bilder mehr",

  // Of a group
  "Group name must be 4 characters or above": "Der Name der Gruppe muss mindestens 4 Zeichen haben",
  "Group name must be 30 characters or below": "Der Name der Gruppe darf höchstens 30 Zeichen haben",
  "A group lasts 24 hours or 2.": "Eine Gruppe läuft 24 Stunden oder 2.",
  "You have as many groups as one account can have. Delete one first.":
    "Mehr Gruppen kannst du nicht haben. Lösche erst eine.",
  "Only the creator of this group can do that.": "Das kann nur, wer die Gruppe erstellt hat.",
  "Sorry, It Looks Like This Group Has Expired": "Diese Gruppe ist leider abgelaufen",
  "Sorry, It Looks Like This Group Is Full Already": "Diese Gruppe ist leider schon voll",
  "This group is locked": "Diese Gruppe ist gesperrt",
  "You were removed from this group": "Du wurdest aus dieser Gruppe entfernt",
  "You are not a member of this group": "Du bist kein Mitglied dieser Gruppe",
  "You already have a seat": "Du hast schon einen Platz",
  "A seat is taken from this site's own pages.": "Einen Platz bekommst du nur auf dieser Website.",
  "There is no such member": "Dieses Mitglied gibt es nicht",
  "There is no such member.": "Dieses Mitglied gibt es nicht.",
  "The group is busy. Try again in a moment.":
    "In der Gruppe ist gerade viel los. Versuche es gleich noch mal.",
  "You are sending too fast. Wait a moment.": "Du sendest zu schnell. Warte einen Moment.",
  "There is nothing in that message.": "In dieser Nachricht steht nichts.",
  "Please shorten your message to 255 characters": "Bitte kürze deine Nachricht auf 255 Zeichen",
  "Please shorten the caption to 100 characters": "Bitte kürze die Bildunterschrift auf 100 Zeichen",
  "This message has already been sent": "Diese Nachricht wurde schon gesendet",
  "This message is already gone": "Diese Nachricht gibt es nicht mehr",
  "A message can only be unsent within five minutes":
    "Du kannst eine Nachricht nur fünf Minuten lang zurücknehmen",
  "A message's id has to be 15 letters and digits.":
    "Die Kennung einer Nachricht besteht aus 15 Buchstaben und Ziffern.",
  "That is not a frame this server understands.": "Das versteht dieser Server nicht.",
  "This socket belongs to another group.": "Diese Verbindung gehört zu einer anderen Gruppe.",
};
