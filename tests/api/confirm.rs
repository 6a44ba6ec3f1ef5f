//! An address belongs to an account only once the link that was mailed to it was used.

use std::net::TcpListener;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::api::mail::{MailServer, free_address};
use crate::support::client::Answer;
use crate::support::database::with;
use crate::support::patience::{wait_for, wait_until};
use crate::support::person::{Person, forget_password, login, register, sign_in};
use crate::support::server::{Folder, NO_LIMITS, Server};

const LINK_IS_DEAD: &str = "This link has already been used or is too old. Get a new one.";
const ON_ITS_WAY: &str = "We're emailing you a link. It works for 24 hours.";
pub(super) const PASSWORD: &str = "correct horse";

/// A server that sends mails, and the mail server that receives them.
pub(super) struct MailSetup {
    pub(super) server: Server,
    mail: MailServer,
    flags: Vec<String>,
}

impl MailSetup {
    fn new() -> Self {
        Self::with(NO_LIMITS)
    }

    pub(super) fn with(flags: &[&str]) -> Self {
        let (folder, at) = (Folder::new(), free_address());
        let mail = MailServer::started(at, &folder);
        let url = format!("smtp+plain://{at}");
        let flags = [&["--smtp-url", &url], flags].concat();
        Self { server: Server::on(&folder, &flags), mail, flags: flags.iter().map(|&flag| flag.to_owned()).collect() }
    }

    /// Starts the server anew, so many days after today.
    pub(super) fn start_days_later(&mut self, days: u32) {
        assert!(self.server.stop().success());
        let flags: Vec<_> = self.flags.iter().map(String::as_str).collect();
        self.server = Server::days_later(&self.server.folder, days, &flags);
    }

    /// Starts the server anew, so many days after today, when its mail server says nothing. It is killed with a mail that
    /// waits for that, and starts again on the day after, with the mail server that answers.
    pub(super) fn die_with_a_mail(&mut self, days: u32) {
        assert!(self.server.stop().success());
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp+plain://{}", silent.local_addr().unwrap());
        let flags: Vec<_> = self.flags.iter().map(String::as_str).collect();
        let mut dies = Server::days_later(&self.server.folder, days, &with(&self.flags, "--smtp-url", Some(&url)));
        let _mail = silent.accept().unwrap();
        dies.signal(Signal::KILL);
        dies.wait();
        self.server = Server::days_later(&self.server.folder, days + 1, &flags);
    }

    /// The mails to an address with this subject, once there are `count`.
    pub(super) fn mails(&self, count: usize, to: &str, subject: &str) -> Vec<String> {
        let (to, subject) = (format!("x-rcptto: {}", to.to_lowercase()), format!("Subject: {subject}"));
        wait_for(&subject, || {
            let mut mails = self.mail.mails();
            mails.retain(|mail| mail.to_lowercase().contains(&to) && mail.contains(&subject));
            (mails.len() >= count).then_some(mails)
        })
    }

    /// The digests to an address, once there are `count`.
    pub(super) fn digests(&self, count: usize, to: &str) -> Vec<String> {
        let to = format!("x-rcptto: {}", to.to_lowercase());
        wait_for("digests", || {
            let mut mails = self.mail.mails();
            mails.retain(|mail| mail.to_lowercase().contains(&to) && mail.contains("List-Unsubscribe-Post"));
            (mails.len() >= count).then_some(mails)
        })
    }

    /// The token mailed to an address for an account of this name.
    pub(super) fn token(&self, to: &str, name: &str) -> String {
        let mail = self.mails_for(1, to, name).swap_remove(0);
        let own = mail.split(&format!("\n\n    {name}\n\n")).nth(1).unwrap();
        let token = own.split("/confirm/").nth(1).unwrap().split_whitespace().next().unwrap();
        assert_eq!(token.len(), 43, "256 bits: {mail}");
        token.to_owned()
    }

    /// The mails to an address that name this account, once there are `count`.
    fn mails_for(&self, count: usize, to: &str, name: &str) -> Vec<String> {
        wait_for(&format!("{count} mails that name {name}"), || {
            let mut mails = self.mails(0, to, CONFIRM);
            // In large, so that nobody overlooks whose account it is.
            mails.retain(|mail| mail.contains(&format!("\n\n    {name}\n\n")));
            (mails.len() >= count).then_some(mails)
        })
    }

    pub(super) fn sign_up(&self, name: &str, email: &str) -> Answer {
        register(&self.server, name, email, PASSWORD)
    }

    pub(super) fn confirm(&self, token: &str) -> Answer {
        self.server.post("/api/confirm-email").json(&json!({ "token": token })).send()
    }

    /// Asks which account a link is for.
    fn whose(&self, token: &str) -> Answer {
        self.server.post("/api/confirm-email/account").json(&json!({ "token": token })).send()
    }

    /// Says that the link's account is somebody else's.
    fn refuse(&self, token: &str) -> Answer {
        self.server.delete("/api/confirm-email").json(&json!({ "token": token })).send()
    }

    /// Asks for another confirmation mail.
    fn again(&self, bearer: &str) -> Answer {
        self.server.post("/api/user/send-confirmation").bearer(bearer).send()
    }

    /// Whether somebody of this name has a page.
    pub(super) fn is_there(&self, name: &str) -> bool {
        self.server.get(&format!("/api/annon/{name}")).send().status == 200
    }

    fn user(&self, token: &str) -> Value {
        self.server.get("/api/dashboard").bearer(token).send().json()["user"].clone()
    }

    /// How many commits the store was asked for, and how many it has made.
    fn written(&self) -> (f64, f64) {
        (self.server.metric("annon_store_commit_calls_total"), self.server.metric("annon_store_commits_total"))
    }
}

const CONFIRM: &str = "Confirm your address for Annon";
const TAKEN: &str = "You already have an account at Annon";

#[test]
fn an_address_is_somebodys_once_the_mailed_link_is_used() {
    let setup = MailSetup::new();
    let (name, email) = ("some-body", "some@body.example");
    let signed_up = json!({ "status": 201, "message": "User Account Created", "confirm_by_mail": true });
    assert_eq!(setup.sign_up(name, email).json(), signed_up);
    let bearer = sign_in(&setup.server, name, PASSWORD);
    assert_eq!(setup.user(&bearer), json!({ "username": name, "email": email, "email_confirmed": false }));
    assert_eq!(login(&setup.server, email, PASSWORD).status, 401, "only the name signs in");
    forget_password(&setup.server, email);

    let token = setup.token(email, name);
    for _ in 0..2 {
        let page = setup.server.get(&format!("/confirm/{token}")).send();
        assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")));
    }
    assert_eq!(login(&setup.server, email, PASSWORD).status, 401, "a scanner that opens every link confirms nothing");
    setup.confirm(&token).assert(200, "Address confirmed");
    setup.confirm(&token).assert(400, LINK_IS_DEAD);
    setup.confirm("nonsense").assert(400, LINK_IS_DEAD);
    sign_in(&setup.server, &email.to_uppercase(), PASSWORD);
    assert_eq!(setup.user(&bearer), json!({ "username": name, "email": email }));
    forget_password(&setup.server, email);
    assert_eq!(setup.mails(1, email, "Set a new password for Annon").len(), 1, "nothing was mailed before");
    setup.again(&bearer).assert(200, "Your address is already confirmed");
}

/// A stranger's sign-up tells nothing of the owner's language, so that mail is in English.
#[test]
fn the_mail_is_in_the_language_of_who_signs_up_or_asks_again() {
    let setup = MailSetup::new();
    let sign_up = |name: &str, email: &str| {
        let form = json!({ "username": name, "email": email, "password": PASSWORD });
        let call = setup.server.post("/api/register").header("Accept-Language", "de");
        assert_eq!(call.json(&form).send().status, 201);
    };
    let (email, subject) = ("neu@mail.example", "=?utf-8?b?");
    sign_up("jemand-neues", email);
    setup.mails(1, email, subject);
    let bearer = sign_in(&setup.server, "jemand-neues", PASSWORD);
    let again = setup.server.post("/api/user/send-confirmation").header("Accept-Language", "de").bearer(&bearer);
    again.send().assert(200, ON_ITS_WAY);
    for mail in setup.mails(2, email, subject) {
        assert!(mail.contains("\n\n    jemand-neues\n\n") && mail.is_ascii(), "{mail}");
    }
    setup.sign_up("its-owner", "owner@mail.example");
    setup.confirm(&setup.token("owner@mail.example", "its-owner")).assert(200, "Address confirmed");
    sign_up("ein-anderer", "owner@mail.example");
    assert!(setup.mails(1, "owner@mail.example", TAKEN)[0].contains("Hello its-owner,"));
}

/// The answer and the disk's work do not tell a stranger that the address has an account.
#[test]
fn signing_up_tells_nobody_whether_an_address_has_an_account() {
    let setup = MailSetup::new();
    setup.sign_up("its-owner", "owner@mail.example");
    setup.confirm(&setup.token("owner@mail.example", "its-owner")).assert(200, "Address confirmed");

    let attempt = |name: &str, email: &str, letter: &str| {
        let before = setup.written();
        let answer = setup.sign_up(name, email);
        setup.mails(1, email, letter);
        let after = setup.written();
        ((answer.status, answer.json(), answer.stable_headers()), (after.0 - before.0, after.1 - before.1))
    };
    let of_nobody = attempt("stranger-1", "nobody@mail.example", CONFIRM);
    let of_owner = attempt("stranger-2", "OWNER@mail.example", TAKEN);
    assert_eq!(of_owner, of_nobody);

    for (name, email) in [("stranger-1", "nobody@mail.example"), ("stranger-2", "OWNER@mail.example")] {
        let bearer = sign_in(&setup.server, name, PASSWORD);
        assert_eq!(setup.user(&bearer), json!({ "username": name, "email": email, "email_confirmed": false }));
        setup.again(&bearer).assert(200, ON_ITS_WAY);
    }
    let mails = setup.mails(2, "owner@mail.example", TAKEN);
    assert!(mails[0].contains("Hello its-owner,") && mails[0].contains("/reset"), "{}", mails[0]);
    assert!(mails.iter().all(|mail| !mail.contains("/confirm/") && !mail.contains("stranger")), "{mails:?}");
    let bearer = sign_in(&setup.server, "owner@mail.example", PASSWORD);
    assert_eq!(setup.user(&bearer)["username"], "its-owner", "the address stays the owner's");
    setup.sign_up("its-owner", "other@mail.example").assert(409, "This username is already taken");
}

#[test]
fn nobody_can_occupy_an_address_and_the_first_to_confirm_it_has_it() {
    let setup = MailSetup::new();
    for name in ["squatter", "its-owner", "third-one"] {
        assert_eq!(setup.sign_up(name, "wanted@mail.example").status, 201);
    }
    let tokens = ["squatter", "its-owner", "third-one"].map(|name| setup.token("wanted@mail.example", name));
    setup.confirm(&tokens[1]).assert(200, "Address confirmed");
    setup.confirm(&tokens[2]).assert(409, "Another account confirmed this address first");
    let squatter = sign_in(&setup.server, "squatter", PASSWORD);
    let delete = setup.server.delete("/api/user/delete").bearer(&squatter).json(&json!({ "password": PASSWORD }));
    delete.send().assert(200, "Account Deleted");
    setup.confirm(&tokens[0]).assert(400, LINK_IS_DEAD);
    sign_in(&setup.server, "wanted@mail.example", PASSWORD);
}

#[test]
fn an_account_asks_for_a_link_three_times_an_hour_and_its_address_gets_no_more_mails() {
    let setup = MailSetup::new();
    let email = "some@body.example";
    setup.sign_up("some-body", email);
    let bearer = sign_in(&setup.server, "some-body", PASSWORD);
    for count in [1, 2] {
        setup.mails(count, email, CONFIRM);
        setup.again(&bearer).assert(200, ON_ITS_WAY);
    }
    assert_eq!(setup.again(&bearer).status, 429);
    setup.mails(3, email, CONFIRM);
    for n in 0..7 {
        assert_eq!(setup.sign_up(&format!("other-{n}"), email).status, 201);
    }
    setup.sign_up("last-one", "last@one.example");
    setup.mails(1, "last@one.example", CONFIRM);
    assert_eq!(setup.mails(3, email, CONFIRM).len(), 3);
}

/// However many strangers claim an address: its owner finds the own account in the next mail.
#[test]
fn one_mail_names_all_accounts_that_wait_for_the_address_but_those_that_were_refused() {
    let setup = MailSetup::new();
    let email = "wanted@mail.example";
    setup.sign_up("refused-one", email);
    setup.refuse(&setup.token(email, "refused-one")).assert(200, "Link ended");
    setup.sign_up("stranger", email);
    setup.mails_for(1, email, "stranger");
    setup.sign_up("its-owner", email);
    let mail = setup.mails_for(1, email, "its-owner").swap_remove(0);
    assert!(mail.contains("Subject: Confirm your address for Annon: 2 accounts\n"), "{mail}");
    let names = ["its-owner", "stranger"].map(|name| mail.find(&format!("\n\n    {name}\n\ncreated just now:\n\n")));
    assert!(names[0].is_some() && names[0] < names[1] && !mail.contains("refused-one"), "{mail}");
    let tokens: Vec<_> = mail.split("/confirm/").skip(1).map(|rest| rest.split_whitespace().next().unwrap()).collect();
    let whose: Vec<_> = tokens.iter().map(|token| setup.whose(token).json()["username"].clone()).collect();
    assert_eq!(whose, ["its-owner", "stranger"]);
    setup.confirm(tokens[0]).assert(200, "Address confirmed");
    setup.confirm(tokens[1]).assert(409, "Another account confirmed this address first");
}

/// The page behind the link says whose account would get the address, before anybody confirms.
#[test]
fn a_link_tells_whose_account_it_is_for_and_ends_with_a_no() {
    let setup = MailSetup::new();
    let email = "wanted@mail.example";
    for name in ["stranger", "its-owner"] {
        assert_eq!(setup.sign_up(name, email).status, 201);
    }
    let [strangers, owners] = ["stranger", "its-owner"].map(|name| setup.token(email, name));
    for _ in 0..2 {
        let whose = setup.whose(&strangers);
        assert_eq!((whose.status, whose.json()), (200, json!({ "status": 200, "username": "stranger" })));
    }
    setup.refuse(&strangers).assert(200, "Link ended");
    for dead in [&strangers, "nonsense"] {
        setup.whose(dead).assert(400, LINK_IS_DEAD);
        setup.refuse(dead).assert(400, LINK_IS_DEAD);
        setup.confirm(dead).assert(400, LINK_IS_DEAD);
    }
    assert_eq!(setup.whose(&owners).json()["username"], "its-owner");
    setup.confirm(&owners).assert(200, "Address confirmed");
    setup.whose(&owners).assert(400, LINK_IS_DEAD);
    assert_eq!(setup.user(&sign_in(&setup.server, email, PASSWORD))["username"], "its-owner");
}

/// A reset writes as much for an unknown address, so neither disk nor time reveals it.
#[test]
fn a_reset_writes_as_much_for_an_address_that_nobody_has() {
    let setup = MailSetup::new();
    setup.sign_up("some-body", "some@body.example");
    setup.confirm(&setup.token("some@body.example", "some-body")).assert(200, "Address confirmed");
    let calls = |email: &str| {
        let before = setup.written();
        forget_password(&setup.server, email);
        wait_until("the disk's work", || setup.written() != before);
        let after = setup.written();
        (after.0 - before.0, after.1 - before.1)
    };
    assert_eq!(calls("nobody@mail.example"), calls("some@body.example"));
    assert_eq!(calls("nobody@mail.example"), (1.0, 1.0));
}

/// Without a mail server nobody could get a link.
#[test]
fn without_a_mail_server_an_address_is_the_accounts_at_once() {
    let (server, person) = Person::with(&[]);
    sign_in(&server, &person.email, &person.password);
    register(&server, "somebody-else", &person.email, PASSWORD)
        .assert(409, "An account with this email already exists");
    let again = person.call(&server, "POST", "/api/user/send-confirmation").send();
    again.assert(200, "Your address is already confirmed");
}
