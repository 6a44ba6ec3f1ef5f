//! Accounts that nobody uses, where the operator has set for how long they are kept.

use crate::api::confirm::{MailSetup, PASSWORD};
use crate::support::patience::wait_until;
use crate::support::person::{login, sign_in};

const SUBJECT: &str = "Your account at Annon will be deleted";

#[test]
fn an_owner_gets_one_mail_a_month_before_an_unused_account_goes() {
    let mut setup = MailSetup::with(&["--address-limits", "off", "--accounts-kept-days", "365"]);
    let people = ["quiet-one", "back-again", "unconfirmed"].map(|name| (name, format!("{name}@mail.example")));
    for (name, email) in &people {
        assert_eq!(setup.sign_up(name, email).status, 201);
        if *name != "unconfirmed" {
            setup.confirm(&setup.token(email, name)).assert(200, "Address confirmed");
        }
        sign_in(&setup.server, name, PASSWORD);
    }
    let [quiet, back, unconfirmed] = people;

    // An account may have been used until the end of its month, and a month has 30 days: it goes between 365 and 395
    // days from now, so today nobody knows which day that is.
    setup.start_days_later(366);
    for (name, email) in [&quiet, &back] {
        let mail = setup.mails(1, email, SUBJECT).swap_remove(0);
        for words in [format!("Hello {name},"), "30 days it will be deleted".to_owned(), "/login".to_owned()] {
            assert!(mail.contains(&words), "no {words} in {mail}");
        }
    }
    // Whoever signs in keeps the account.
    sign_in(&setup.server, back.0, PASSWORD);
    setup.start_days_later(380);
    for name in [quiet.0, unconfirmed.0] {
        assert!(setup.is_there(name), "{name} has 30 days from the mail on");
    }

    setup.start_days_later(398);
    wait_until("the end of unused accounts", || !setup.is_there(quiet.0) && !setup.is_there(unconfirmed.0));
    assert_eq!(login(&setup.server, quiet.0, PASSWORD).status, 401);
    sign_in(&setup.server, back.0, PASSWORD);
    // Each owner was told once, and nobody at an address that may be somebody else's.
    let told = |email: &str| setup.mails(0, email, SUBJECT).len();
    assert_eq!([told(&quiet.1), told(&back.1), told(&unconfirmed.1)], [1, 1, 0]);
}
