//! Guessing a password: from many addresses, with a token, or with a browser's own words.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::patience::{at_once, timed, wait_for};
use crate::support::person::{Person, forget_password, password_is_set, reset_password};
use crate::support::server::{Server, printed};

const WRONG_CREDENTIALS: &str = "Wrong username, email or password.";
const WRONG_PASSWORD: &str = "incorrect password!";

/// A server that sees a new client address with each call, and the guessed account.
struct GuessedAccount {
    server: Server,
    person: Person,
}

impl GuessedAccount {
    fn new() -> Self {
        let (server, person) = Person::with(&["--trusted-proxies", "127.0.0.1"]);
        Self { server, person }
    }

    /// A call with the account's token, from this client address.
    fn own(&self, from: usize, method: &str, path: &str, form: &Value) -> Answer {
        let call = self.person.call(&self.server, method, path).header("X-Forwarded-For", &address(from));
        call.json(form).send()
    }

    fn sign_in(&self, from: usize, password: &str, device: Option<&str>) -> Answer {
        self.sign_in_as(from, &self.person.username, password, device)
    }

    fn sign_in_as(&self, from: usize, name: &str, password: &str, device: Option<&str>) -> Answer {
        let form = json!({ "email_or_username": name, "password": password, "device": device });
        self.server.post("/api/login").header("X-Forwarded-For", &address(from)).json(&form).send()
    }

    /// Signs in, and returns the words by which the server recognizes this browser.
    fn known(&self, password: &str) -> String {
        let answer = self.sign_in(0, password, None);
        answer.json()["device"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    /// Uses up the tries of browsers that the server does not recognize.
    fn strangers_guess(&self) {
        for from in 1..=10 {
            self.sign_in(from, "another password", None).assert(401, WRONG_CREDENTIALS);
        }
        self.sign_in(11, &self.person.password, None).assert(401, WRONG_CREDENTIALS);
    }
}

fn address(from: usize) -> String {
    format!("203.0.113.{from}")
}

/// Guessing from many addresses gets no further than from one. Past the limit the answer, and the
/// time it takes, are those of any wrong password.
#[test]
fn past_ten_wrong_passwords_the_right_one_is_wrong_too_but_for_a_browser_that_was_here_before() {
    let guessed = GuessedAccount::new();
    let (name, right) = (&guessed.person.username, &guessed.person.password);
    let known = guessed.known(right);
    for from in 1..=10 {
        let name = if from % 2 == 0 { name } else { &guessed.person.email };
        guessed.sign_in_as(from, name, "another password", None).assert(401, WRONG_CREDENTIALS);
    }
    let (mut past, mut before) = (Vec::new(), Vec::new());
    for from in 11..=20 {
        // The two calls take turns, because the machine may be busier later.
        let (answer, took) = timed(|| guessed.sign_in(from, right, None));
        answer.assert(401, WRONG_CREDENTIALS);
        past.push(took);
        let nobody = format!("nobody-{from}");
        let (unknown, took) = timed(|| guessed.sign_in_as(from, &nobody, "another password", None));
        assert_eq!(answer.stable_headers(), unknown.stable_headers());
        before.push(took);
    }
    let (past, before) = (past.iter().min().unwrap(), before.iter().min().unwrap());
    assert!(*past < *before * 10 && *before < *past * 10, "{past:?} {before:?}");

    guessed.sign_in(61, right, Some("nonsense")).assert(401, WRONG_CREDENTIALS);
    for _ in 0..3 {
        guessed.sign_in(61, "another password", Some(&known)).assert(401, WRONG_CREDENTIALS);
    }
    assert_eq!(guessed.sign_in(61, right, Some(&known)).status, 200);
    let other = Person::new(&guessed.server);
    assert_eq!(guessed.sign_in_as(62, &other.username, &other.password, None).status, 200, "others are not touched");
}

/// Those that are just being compared are not wrong yet.
#[test]
fn as_many_as_sign_in_at_once_with_the_right_password_get_in_and_who_guesses_at_once_gets_no_further() {
    let guessed = GuessedAccount::new();
    let at_once_with = |password: &str| {
        at_once((1..=20).map(|from| {
            let (guessed, password) = (&guessed, password.to_owned());
            move || guessed.sign_in(from, &password, None).status
        }))
    };
    assert_eq!(at_once_with(&guessed.person.password), [200; 20]);
    assert_eq!(at_once_with("another password"), [401; 20]);
    guessed.sign_in(21, &guessed.person.password, None).assert(401, WRONG_CREDENTIALS);
}

#[test]
fn who_has_a_token_guesses_at_the_password_ten_times_and_no_more() {
    let guessed = GuessedAccount::new();
    let change = |from, old: &str| {
        let form = json!({ "old_password": old, "new_password": "a new password" });
        guessed.own(from, "POST", "/api/user/change-password", &form)
    };
    let delete =
        |from, password: &str| guessed.own(from, "DELETE", "/api/user/delete", &json!({ "password": password }));
    for from in 0..5 {
        change(from, "another password").assert(403, WRONG_PASSWORD);
        delete(from, "another password").assert(403, WRONG_PASSWORD);
    }
    change(11, &guessed.person.password).assert(403, WRONG_PASSWORD);
    delete(12, &guessed.person.password).assert(403, WRONG_PASSWORD);
    assert_eq!(guessed.sign_in(13, &guessed.person.password, None).status, 200, "the sign-in has tries of its own");
}

/// Otherwise a stranger could keep the owner from changing a password that somebody else knows.
#[test]
fn strangers_who_guess_keep_nobody_with_a_token_from_changing_the_password() {
    let guessed = GuessedAccount::new();
    guessed.strangers_guess();
    let form = json!({ "old_password": guessed.person.password, "new_password": "a new password" });
    let device = password_is_set(&guessed.own(12, "POST", "/api/user/change-password", &form));
    assert_eq!(guessed.sign_in(12, "a new password", Some(&device)).status, 200);
}

/// Between them a token's thief and a stranger could shut out the owner, who knows the password.
#[test]
fn a_thief_and_a_stranger_keep_the_owners_browser_neither_out_nor_from_a_new_password() {
    let guessed = GuessedAccount::new();
    let right = &guessed.person.password;
    let known = guessed.known(right);
    let change = |bearer: &str, old: &str| {
        let form = json!({ "old_password": old, "new_password": "a new password" });
        let call = guessed.server.post("/api/user/change-password").header("X-Forwarded-For", &address(40));
        call.bearer(bearer).json(&form).send()
    };
    for _ in 0..12 {
        change(&guessed.person.token, "another password").assert(403, WRONG_PASSWORD);
    }
    guessed.strangers_guess();
    for _ in 0..2 {
        guessed.sign_in(41, "another password", Some(&known)).assert(401, WRONG_CREDENTIALS);
    }
    let again = guessed.sign_in(41, right, Some(&known));
    assert_eq!(again.status, 200, "{again:?}");
    password_is_set(&change(again.json()["access_token"].as_str().unwrap(), right));
}

#[test]
fn an_account_knows_five_browsers_which_have_ten_tries_together_and_three_each() {
    let guessed = GuessedAccount::new();
    let right = &guessed.person.password;
    let known: Vec<_> = (0..6).map(|_| guessed.known(right)).collect();
    guessed.strangers_guess();
    guessed.sign_in(12, right, Some(&known[0])).assert(401, WRONG_CREDENTIALS);
    let again = guessed.sign_in(13, right, Some(&known[1]));
    assert_eq!(again.json()["device"], known[1], "a browser that is known stays the one it is");
    for from in 0..10 {
        guessed.sign_in(from, "another password", Some(&known[1 + from % 5])).assert(401, WRONG_CREDENTIALS);
    }
    guessed.sign_in(14, right, Some(&known[0])).assert(401, WRONG_CREDENTIALS);
    for _ in 0..3 {
        guessed.sign_in(15, "another password", Some(&known[1])).assert(401, WRONG_CREDENTIALS);
    }
    guessed.sign_in(16, right, Some(&known[1])).assert(401, WRONG_CREDENTIALS);
    assert_eq!(guessed.sign_in(16, right, Some(&known[2])).status, 200, "nobody used up what is its own");
}

#[test]
fn a_changed_password_and_a_reset_end_what_browsers_are_known_by() {
    let guessed = GuessedAccount::new();
    let known = guessed.known(&guessed.person.password);
    let form = json!({ "old_password": guessed.person.password, "new_password": "password two" });
    guessed.strangers_guess();
    let changed = password_is_set(&guessed.own(12, "POST", "/api/user/change-password", &form));
    guessed.sign_in(13, "password two", Some(&known)).assert(401, WRONG_CREDENTIALS);
    assert_eq!(guessed.sign_in(13, "password two", Some(&changed)).status, 200, "who changed it is known");

    assert_eq!(forget_password(&guessed.server, &guessed.person.email).status, 200);
    let mail = wait_for("a mail", || guessed.server.folder.mails().pop());
    let token = mail.split("/reset/").nth(1).unwrap().split_whitespace().next().unwrap();
    let reset = password_is_set(&reset_password(&guessed.server, token, "password three"));
    for ended in [&known, &changed] {
        guessed.sign_in(14, "password three", Some(ended)).assert(401, WRONG_CREDENTIALS);
    }
    assert_eq!(guessed.sign_in(14, "password three", Some(&reset)).status, 200);
}

#[test]
fn the_operator_lets_somebody_in_again_by_a_link_or_at_once() {
    let guessed = GuessedAccount::new();
    let (name, right) = (&guessed.person.username, &guessed.person.password);
    let annon = |arguments: &[&str]| {
        let output = guessed.server.folder.annon(arguments);
        assert!(output.status.success(), "{output:?}");
        printed(&output.stdout)
    };
    guessed.strangers_guess();
    assert_eq!(annon(&["user", "unlock", name]), "unlocked\n");
    assert_eq!(guessed.sign_in(12, right, None).status, 200);
    guessed.strangers_guess();
    let link = annon(&["user", "reset", name]);
    let token = link.trim().rsplit_once("/reset/").unwrap().1;
    let device = password_is_set(&reset_password(&guessed.server, token, "a new password"));
    assert_eq!(guessed.sign_in(13, "a new password", Some(&device)).status, 200);
    assert_eq!(reset_password(&guessed.server, token, "once more for me").status, 400);
    assert!(!guessed.server.log.lines().iter().any(|line| line.contains(token)));
}
