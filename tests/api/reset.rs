//! Resetting a forgotten password. The store's tests show that a link ends after half an hour.

use serde_json::json;

use crate::support::patience::{at_once, wait_for, wait_until};
use crate::support::person::{
    Person, forget_password, is_alive, login, password_is_set, register, reset_password, sign_in,
};
use crate::support::server::{Folder, NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

const ON_ITS_WAY: &str =
    "If there's an account with this address, we've emailed it a link. The link works for 30 minutes.";
const TOO_COMMON: &str = "Many people use this password, so it's easy to guess. Choose another one.";
const IS_THE_NAME: &str = "Your password can't be your username. Choose another one.";
const LINK_IS_DEAD: &str = "This link has already been used or is too old. Get a new one.";

/// The `nth` mail, once it is there.
fn mail(folder: &Folder, nth: usize) -> String {
    wait_for("a mail", || folder.mails().into_iter().nth(nth - 1))
}

/// The only link in a mail.
fn link(mail: &str) -> String {
    let links: Vec<_> = mail.lines().filter(|line| line.contains("://")).map(str::trim).collect();
    assert_eq!(links.len(), 1, "{mail}");
    links[0].to_owned()
}

fn token(mail: &str) -> String {
    let link = link(mail);
    let token = link.rsplit_once("/reset/").unwrap().1;
    assert_eq!(token.len(), 43, "256 bits: {link}");
    token.to_owned()
}

#[test]
fn a_forgotten_password_is_set_anew_by_the_mailed_link() {
    let (server, person) = Person::with(&[]);
    let (other, bystander) = (person.sign_in(&server), Person::new(&server));
    let mut socket = TestSocket::with_token(&server, &other);
    forget_password(&server, &person.email.to_uppercase()).assert(200, ON_ITS_WAY);

    let mail = mail(&server.folder, 1);
    let has = |line: &str| mail.lines().any(|known| known == line);
    assert!(has(&format!("To: {}", person.email)), "{mail}");
    assert!(has("Subject: Set a new password for Annon"), "{mail}");
    assert!(has(&format!("Hello {},", person.username)), "{mail}");
    assert_eq!(link(&mail), format!("http://{}/reset/{}", server.address, token(&mail)));

    reset_password(&server, &token(&mail), "1234567").assert(422, "Password must be 8 characters or above");
    assert!(is_alive(&server, &other), "a refused password uses nothing up");
    password_is_set(&reset_password(&server, &token(&mail), "another password"));
    socket.assert_signed_out();
    assert!(!is_alive(&server, &person.token) && !is_alive(&server, &other));
    assert!(is_alive(&server, &bystander.token));
    assert_eq!(login(&server, &person.username, &person.password).status, 401);
    sign_in(&server, &person.username, "another password");
    reset_password(&server, &token(&mail), "a third password").assert(400, LINK_IS_DEAD);
}

#[test]
fn the_mail_is_in_the_language_of_who_asks() {
    let (server, person) = Person::with(&[]);
    let call = server.post("/api/password-reset").header("Accept-Language", "de-CH,en;q=0.5");
    call.json(&json!({ "email": person.email })).send().assert(200, ON_ITS_WAY);
    let mail = mail(&server.folder, 1);
    assert!(mail.contains(&format!("Hallo {},", person.username)), "{mail}");
    // The operator can copy the link, although the mail has umlauts.
    token(&mail);
}

#[test]
fn asking_tells_nobody_whether_there_is_such_an_account() {
    let (server, person) = Person::with(&[]);
    for bad in ["", "nobody", "a@b", "a b@mail.example", "a@mail.example, b@mail.example"] {
        forget_password(&server, bad).assert(422, "Invalid Email");
    }
    for _ in 0..3 {
        forget_password(&server, "nobody@mail.example").assert(200, ON_ITS_WAY);
    }
    forget_password(&server, &person.email).assert(200, ON_ITS_WAY);
    // The others' mails come before this one.
    assert!(mail(&server.folder, 1).contains(&person.email));
    assert_eq!(server.folder.mails().len(), 1);
}

#[test]
fn a_mailed_link_leads_to_the_configured_host_whatever_the_request_says() {
    let lie = |server: &Server, person: &Person| {
        let call = server.post("/api/password-reset").json(&json!({ "email": person.email }));
        let call = call.header("Host", "evil.example").header("X-Forwarded-Host", "evil.example");
        let call = call.header("Forwarded", "host=evil.example;proto=https").header("Origin", "https://evil.example");
        call.send().assert(200, ON_ITS_WAY);
        mail(&server.folder, 1)
    };
    let server = Server::with(&["--trusted-proxies", "127.0.0.1"]);
    let mail = lie(&server, &Person::new(&server));
    assert!(link(&mail).starts_with(&format!("http://{}/reset/", server.address)), "{mail}");
    assert!(!mail.contains("evil"), "{mail}");

    let server = Server::with(&["--public-url", "https://Annon.Example/"]);
    let mail = lie(&server, &Person::new(&server));
    assert!(link(&mail).starts_with("https://annon.example/reset/"), "{mail}");
    assert!(mail.contains("annon@annon.example") && !mail.contains("evil"), "{mail}");
}

#[test]
fn a_link_dies_with_the_password_it_was_to_replace() {
    let (server, person) = Person::with(&[]);
    for nth in 1..=2 {
        forget_password(&server, &person.email).assert(200, ON_ITS_WAY);
        mail(&server.folder, nth);
    }
    let tokens: Vec<_> = server.folder.mails().iter().map(|mail| token(mail)).collect();
    assert_ne!(tokens[0], tokens[1]);
    password_is_set(&reset_password(&server, &tokens[0], "password one"));
    reset_password(&server, &tokens[1], "password two").assert(400, LINK_IS_DEAD);
    sign_in(&server, &person.username, "password one");

    let changer = Person::new(&server);
    forget_password(&server, &changer.email).assert(200, ON_ITS_WAY);
    let link = token(&mail(&server.folder, 3));
    password_is_set(&changer.change_password(&server, &changer.password, "password three"));
    reset_password(&server, &link, "password four").assert(400, LINK_IS_DEAD);
    sign_in(&server, &changer.username, "password three");

    let leaver = Person::new(&server);
    forget_password(&server, &leaver.email).assert(200, ON_ITS_WAY);
    let link = token(&mail(&server.folder, 4));
    leaver.delete(&server, &leaver.password).assert(200, "Account Deleted");
    register(&server, &leaver.username, &leaver.email, "password five").assert(201, "User Account Created");
    reset_password(&server, &link, "password six").assert(400, LINK_IS_DEAD);
    sign_in(&server, &leaver.username, "password five");
}

#[test]
fn a_new_password_is_neither_a_common_one_nor_the_name() {
    let (server, person) = Person::with(NO_LIMITS);
    forget_password(&server, &person.email).assert(200, ON_ITS_WAY);
    let link = token(&mail(&server.folder, 1));
    for (password, message) in [("QWERTYUIOP", TOO_COMMON), (&*person.username.to_uppercase(), IS_THE_NAME)] {
        person.change_password(&server, &person.password, password).assert(422, message);
        reset_password(&server, &link, password).assert(422, message);
    }
    // The refusals have neither used the link up nor signed anybody out.
    assert!(is_alive(&server, &person.token));
    password_is_set(&reset_password(&server, &link, "battery staple"));
}

#[test]
fn a_made_up_token_is_as_dead_as_a_used_one() {
    let server = Server::with(NO_LIMITS);
    for made_up in ["", "x", &"A".repeat(43), &"A".repeat(10_000), "../../etc/passwd", "\0", "é"] {
        reset_password(&server, made_up, "correct horse").assert(400, LINK_IS_DEAD);
    }
}

#[test]
fn of_ten_who_use_a_link_at_once_one_succeeds() {
    let (server, person) = Person::with(NO_LIMITS);
    forget_password(&server, &person.email).assert(200, ON_ITS_WAY);
    let token = token(&mail(&server.folder, 1));
    let (server, token) = (&server, &token);
    let answers = at_once((0..10).map(|n| move || reset_password(server, token, &format!("password {n}"))));
    let winners: Vec<_> = (0..10).filter(|&n| answers[n].status == 200).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    answers.iter().filter(|answer| answer.status != 200).for_each(|loser| loser.assert(400, LINK_IS_DEAD));
    sign_in(server, &person.username, &format!("password {}", winners[0]));
}

/// The limit protects the account's mailbox, so it holds for all callers together.
#[test]
fn an_account_gets_three_mails_an_hour_and_the_answer_stays_the_same() {
    let server = Server::with(NO_LIMITS);
    let (person, other) = (Person::new(&server), Person::new(&server));
    for _ in 0..5 {
        forget_password(&server, &person.email).assert(200, ON_ITS_WAY);
    }
    wait_until("two refusals", || server.log.count("a reset link was not mailed") == 2);
    forget_password(&server, &other.email).assert(200, ON_ITS_WAY);
    mail(&server.folder, 4);
    let mails = server.folder.mails();
    assert_eq!(mails.iter().filter(|mail| mail.contains(&person.email)).count(), 3);
}
