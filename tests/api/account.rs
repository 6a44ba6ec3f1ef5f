//! Signing up, in and out, changing the password, and deleting the account.

use serde_json::json;

use crate::support::patience::{at_once, timed};
use crate::support::person::{Person, SIGNED_OUT, fresh_name, is_alive, login, register, send_note, sign_in};
use crate::support::server::{Folder, NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

const WRONG_CREDENTIALS: &str = "Wrong username, email or password.";
const BAD_LOGIN: &str = "Kindly input valid login credentials";
const NAME_TAKEN: &str = "This username is already taken";
const ADDRESS_TAKEN: &str = "An account with this email already exists";
const TOO_COMMON: &str = "Many people use this password, so it's easy to guess. Choose another one.";
const IS_THE_NAME: &str = "Your password can't be your username. Choose another one.";

#[test]
fn a_person_signs_up_in_and_out() {
    let server = Server::start();
    register(&server, "some-body", "some@body.example", "correct horse").assert(201, "User Account Created");

    let answer = login(&server, "some-body", "correct horse").json();
    let token = answer["access_token"].as_str().unwrap();
    assert_eq!(
        answer,
        json!({
            "status": 200, "message": "User Logged In", "access_token": token, "expires_in": 7200,
            "device": answer["device"].as_str().unwrap(),
        })
    );
    let dashboard = server.get("/api/dashboard").bearer(token).send();
    assert_eq!(
        dashboard.json(),
        json!({ "status": 200, "user": { "username": "some-body", "email": "some@body.example" } })
    );
    server.post("/api/logout").bearer(token).send().assert(200, "User Logged Out");
    assert!(!is_alive(&server, token));
    server.post("/api/logout").bearer(token).send().assert(401, "Sign in to continue.");
}

#[test]
fn signing_up_is_refused_in_the_words_of_the_form() {
    let server = Server::start();
    let (short, long, odd) = (
        "Username must be 6 characters or above",
        "Username must be 16 characters or below",
        "Username can only have letters, digits, - and _",
    );
    for (username, message) in [
        ("", short),
        ("12345", short),
        // The limit counts characters, not bytes.
        ("ééééé", short),
        ("🙂🙂🙂🙂🙂", short),
        ("a2345678901234567", long),
        ("éééééé", odd),
        // The first letter is a Cyrillic one.
        ("аdmin1", odd),
        ("a/b/c/d", odd),
        ("dots.dots", odd),
        ("<script>", odd),
    ] {
        register(&server, username, "a@mail.example", "correct horse").assert(422, message);
    }
    for reserved in
        "settings HomePage SIGNUP healthz metrics annon-support Support_Annon impressum imprint datenschutz operator support-team abuse-desk postmaster Admin-1 __root__ no_reply"
            .split(' ')
    {
        register(&server, reserved, "a@mail.example", "correct horse").assert(422, "This username is not available");
    }
    register(&server, &fresh_name(), "a b@mail.example", "correct horse").assert(422, "Invalid Email Address");
    let short = "Password must be 8 characters or above";
    for (password, message) in [
        ("", short),
        ("1234567", short),
        ("ééééééé", short),
        (&"x".repeat(129), "Password must be 128 characters or below"),
    ] {
        register(&server, &fresh_name(), "a@mail.example", password).assert(422, message);
    }
    register(&server, "a-good-name", "a@mail.example", "12345678").assert(422, TOO_COMMON);
    register(&server, "a-good-name", "a@mail.example", "A-Good-Name").assert(422, IS_THE_NAME);
    // No refused sign-up has made an account.
    register(&server, "a23456", "a@mail.example", "correct horse").assert(201, "User Account Created");
}

#[test]
fn lengths_are_counted_in_characters_and_white_space_becomes_hyphens() {
    let server = Server::start();
    for (username, password) in [("sixsix", "éééééééé"), ("sixteen_16-chars", &"🙂".repeat(128))] {
        register(&server, username, &format!("{username}@mail.example"), password).assert(201, "User Account Created");
        sign_in(&server, username, password);
    }
    register(&server, "three little\tpig", "pig@mail.example", "correct horse").assert(201, "User Account Created");
    for typed in ["three-little-pig", "THREE little pig", "pig@mail.example", " PIG@Mail.Example "] {
        let token = sign_in(&server, typed, "correct horse");
        let dashboard = server.get("/api/dashboard").bearer(&token).send().json();
        assert_eq!(dashboard["user"], json!({ "username": "three-little-pig", "email": "pig@mail.example" }));
    }
}

#[test]
fn a_name_and_an_address_are_taken_in_any_mixture_of_cases() {
    let server = Server::start();
    register(&server, "Somebody", "Some@Body.Example", "correct horse").assert(201, "User Account Created");
    for name in ["Somebody", "somebody", "SOMEBODY"] {
        register(&server, name, "other@body.example", "correct horse").assert(409, NAME_TAKEN);
    }
    for email in ["Some@Body.Example", "some@body.example"] {
        register(&server, "somebody-else", email, "correct horse").assert(409, ADDRESS_TAKEN);
    }
}

#[test]
fn signing_in_is_refused_without_telling_why() {
    let (server, person) = Person::with(&[]);
    for (name, password) in [("five5", "password"), ("     ", "password"), (&*person.username, "12345"), ("", "")] {
        login(&server, name, password).assert(422, BAD_LOGIN);
    }
    let wrong = login(&server, &person.username, "another password");
    wrong.assert(401, WRONG_CREDENTIALS);
    for nobody in ["nobody-here", "nobody@mail.example", "settings", "éééééééé", "not an@address"] {
        let unknown = login(&server, nobody, "another password");
        unknown.assert(401, WRONG_CREDENTIALS);
        assert_eq!(unknown.stable_headers(), wrong.stable_headers(), "{nobody}");
    }
}

/// The time of an answer must not tell who has an account. The calls take turns.
#[test]
fn an_unknown_name_takes_as_long_as_a_wrong_password() {
    let (server, person) = Person::with(NO_LIMITS);
    let ways = [&*person.username, "nobody@mail.example", "settings"];
    let mut times = ways.map(|_| Vec::new());
    for _ in 0..15 {
        for (name, times) in ways.iter().zip(&mut times) {
            let (answer, took) = timed(|| login(&server, name, "another password"));
            answer.assert(401, WRONG_CREDENTIALS);
            times.push(took);
        }
    }
    // The quickest of each, because on a busy machine the others also wait for it.
    let quickest = times.map(|times| times.into_iter().min().unwrap());
    let (least, most) = (quickest.iter().min().unwrap(), quickest.iter().max().unwrap());
    // If no hash were computed for the unknown name, its answer would take a hundredth of the time.
    assert!(*most < *least * 10, "{quickest:?}");
}

#[test]
fn a_deleted_account_is_gone_and_its_name_free_for_a_new_one() {
    let (server, person) = Person::with(&[]);
    let (other, target) = (person.sign_in(&server), person.target(&server));
    send_note(&server, &target, "a note that will be gone").assert(201, "Anonymous Message Sent");
    let note = person.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    let mut socket = TestSocket::with_token(&server, &other);
    let delete = |password: &str| person.delete(&server, password);
    delete("1234").assert(422, "Password too short");
    delete("12345").assert(403, "incorrect password!");
    assert!(is_alive(&server, &other), "a refused deletion ends nothing");

    delete(&person.password).assert(200, "Account Deleted");
    socket.assert_signed_out();
    let dead = |when: &str| {
        assert!(!is_alive(&server, &person.token) && !is_alive(&server, &other), "{when}");
        send_note(&server, &target, "a note to nobody").assert(404, "No one here goes by that name.");
    };
    dead("deleted");
    assert_eq!(login(&server, &person.username, &person.password).status, 401);
    let path = format!("/api/annon/{}", person.username);
    server.get(&path).send().assert(404, "No one here goes by that name.");

    let again = Person::named(&server, &person.username);
    dead("signed up again");
    assert_ne!(again.target(&server), target);
    assert_eq!(again.inbox(&server), json!({ "status": 200, "message": 0, "data": [] }));
    again.get(&server, &format!("/api/mark_as_seen/{note}")).assert(404, "There is no such message in your inbox.");
}

#[test]
fn of_ten_who_delete_an_account_at_once_one_succeeds() {
    let (server, person) = Person::with(NO_LIMITS);
    let tokens: Vec<_> = (0..10).map(|_| person.sign_in(&server)).collect();
    let delete = server.delete("/api/user/delete").json(&json!({ "password": person.password }));
    let delete = &delete;
    let answers = at_once(tokens.iter().map(|token| move || delete.clone().bearer(token).send()));
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    answers.iter().filter(|answer| answer.status != 200).for_each(|loser| loser.assert(401, SIGNED_OUT));
}

#[test]
fn past_the_most_accounts_nobody_signs_up_until_one_is_deleted() {
    const ENOUGH: &str = "There is no room for another account here. Try again another day.";
    let folder = Folder::new();
    let flags = [NO_LIMITS, &["--accounts-max", "4"]].concat();
    let mut server = Server::on(&folder, &flags);
    let person = Person::new(&server);
    let sign_up = |server: &Server| {
        let name = fresh_name();
        register(server, &name, &format!("{name}@mail.example"), "a password")
    };
    let answers = at_once((0..12).map(|_| || sign_up(&server)));
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 3);
    refused.into_iter().for_each(|answer| answer.assert(507, ENOUGH));
    assert_eq!(server.metric("annon_accounts"), 4.0);
    assert!(server.stop().success());

    let server = Server::on(&folder, &flags);
    sign_up(&server).assert(507, ENOUGH);
    person.sign_in(&server);
    person.delete(&server, &person.password).assert(200, "Account Deleted");
    assert_eq!(server.metric("annon_accounts"), 3.0);
    assert_eq!(sign_up(&server).status, 201);
    sign_up(&server).assert(507, ENOUGH);
    drop(server);

    let server = Server::on(&folder, &[NO_LIMITS, &["--accounts-max", "0"]].concat());
    assert_eq!(sign_up(&server).status, 201);
}
