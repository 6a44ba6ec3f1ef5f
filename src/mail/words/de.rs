//! The mails in German.

use std::time::Duration;

use annon_store::push::Kind;

use super::{CONFIRMATION_HOURS, Claim, Counts, Letters, RESET_MINUTES, Unit, Words, counted, rounded};

pub(super) const LETTERS: Letters = Letters { code: "de", to_confirm, to_reset, told, to_owner_of_waiting };

fn to_confirm(claims: &[Claim]) -> Words {
    let (subject, accounts) = match claims {
        [one] => {
            (one.username.as_str().to_owned(), "ein Konto bei {site} angegeben. Wenn es\ndeins ist, öffne ".to_owned())
        }
        _ => (
            format!("{} Konten", claims.len()),
            format!("{} Konten bei {{site}} angegeben. Wenn eins\ndavon deins ist, öffne ", claims.len()),
        ),
    };
    let mut list = String::new();
    for Claim { username, age, page } in claims {
        list += &format!("    {}\n\n{} erstellt:\n\n{page}\n\n", username.as_str(), ago(*age));
    }
    Words {
        subject: format!("Bestätige deine Adresse für {{site}}: {subject}"),
        text: format!(
            "Hallo,\n\n\
             diese Adresse wurde für {accounts}\
             innerhalb von {CONFIRMATION_HOURS} Stunden den\nLink dazu und sag dort Ja:\n\n\
             {list}\
             Dann kannst du dich auch mit der Adresse anmelden und dein\nPasswort zurücksetzen, falls du es mal \
             vergisst. Bis dahin meldest\ndu dich mit deinem Benutzernamen an.\n\n\
             Wenn ein Konto nicht deins ist, hat jemand anderes deine Adresse\nangegeben. Sag dort Nein, oder tu \
             nichts: Ohne ein Ja gehört die\nAdresse niemandem.\n"
        ),
    }
}

fn ago(age: Duration) -> String {
    match rounded(age) {
        None => "gerade eben".to_owned(),
        Some((minutes, Unit::Minutes)) => format!("vor {minutes} Minuten"),
        Some((hours, Unit::Hours)) => format!("vor {hours} Stunden"),
        Some((days, Unit::Days)) => format!("vor {days} Tagen"),
    }
}

fn told(kind: Kind) -> &'static str {
    match kind {
        Kind::Note => "Jemand hat dir eine Nachricht hinterlassen",
        Kind::Answer => "Es gibt eine Antwort",
        Kind::Knock => "Jemand klopft an",
        Kind::Group => "In deiner Gruppe wird geschrieben",
    }
}

fn to_owner_of_waiting(Counts { notes, replies }: Counts, page: &str, end: &str) -> Words {
    let counted = counted([(notes, "Nachricht", "Nachrichten"), (replies, "Antwort", "Antworten")], " und ");
    let waits = if notes + replies == 1 { "wartet" } else { "warten" };
    Words {
        subject: format!("{counted} {waits} bei {{site}}"),
        text: format!(
            "Hallo,\n\n\
             bei {{site}} {waits} auf dich: {counted}\n\n\
             {page}\n\n\
             So eine E-Mail kommt höchstens einmal am Tag, und nur wenn es etwas\nNeues gibt. Wenn du keine mehr \
             willst, öffne\n\n\
             {end}\n"
        ),
    }
}

fn to_reset(name: &str, link: &str) -> Words {
    Words {
        subject: "Neues Passwort für {site}".to_owned(),
        text: format!(
            "Hallo {name},\n\n\
             für dein Konto bei {{site}} wurde ein neues Passwort angefordert.\n\
             Wenn du das warst, öffne innerhalb von {RESET_MINUTES} Minuten diesen Link:\n\n\
             {link}\n\n\
             Wenn nicht, musst du nichts tun: Ohne den Link ändert sich\nnichts.\n"
        ),
    }
}
