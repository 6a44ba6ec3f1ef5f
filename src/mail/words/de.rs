//! The mails in German.

use super::{CONFIRMATION_HOURS, Letters, RESET_MINUTES, Words};

pub(super) const LETTERS: Letters = Letters { code: "de", to_confirm, to_reset };

fn to_confirm(name: &str, page: &str) -> Words {
    Words {
        subject: format!("Bestätige deine Adresse für Annon: {name}"),
        text: format!(
            "Hallo,\n\n\
             diese Adresse wurde für dieses Annon-Konto angegeben:\n\n    {name}\n\n\
             Wenn das dein Konto ist, öffne innerhalb von {CONFIRMATION_HOURS} Stunden diesen\nLink und sag dort Ja:\n\n\
             {page}\n\n\
             Dann kannst du dich auch mit der Adresse anmelden und dein\nPasswort zurücksetzen, falls du es mal \
             vergisst. Bis dahin meldest\ndu dich mit deinem Benutzernamen an.\n\n\
             Wenn nicht, hat jemand anderes deine Adresse angegeben. Sag dort\nNein, oder tu nichts: Ohne \
             ein Ja gehört die Adresse niemandem.\n"
        ),
    }
}

fn to_reset(name: &str, link: &str) -> Words {
    Words {
        subject: "Neues Passwort für Annon".to_owned(),
        text: format!(
            "Hallo {name},\n\n\
             für dein Annon-Konto wurde ein neues Passwort angefordert.\n\
             Wenn du das warst, öffne innerhalb von {RESET_MINUTES} Minuten diesen Link:\n\n\
             {link}\n\n\
             Wenn nicht, musst du nichts tun: Ohne den Link ändert sich\nnichts.\n"
        ),
    }
}
