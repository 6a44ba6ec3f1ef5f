//! Changing the password, also while others use the old one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use crate::support::patience::at_once;
use crate::support::person::{Person, is_alive, login, password_is_set, send_note, sign_in};
use crate::support::server::NO_LIMITS;
use crate::support::test_socket::TestSocket;

/// A sign-in may compare the old password during the change. Its token must not count later.
#[test]
fn who_signs_in_with_the_old_password_during_its_change_gets_no_token_that_lasts() {
    // One thread for hashing makes a queue, which gives the change time.
    let (server, person) = Person::with(&["--address-limits", "off", "--workers", "2"]);
    let changed = AtomicBool::new(false);
    let tokens = thread::scope(|scope| {
        let thief = || {
            let mut tokens = Vec::new();
            while !changed.load(Ordering::Relaxed) {
                let answer = login(&server, &person.username, &person.password);
                if answer.status == 200 {
                    tokens.push(answer.json()["access_token"].as_str().unwrap().to_owned());
                }
            }
            tokens
        };
        let thieves: Vec<_> = (0..8).map(|_| scope.spawn(thief)).collect();
        for _ in 0..3 {
            login(&server, &person.username, "neither of the two");
        }
        password_is_set(&person.change_password(&server, &person.password, "another password"));
        changed.store(true, Ordering::Relaxed);
        thieves.into_iter().flat_map(|thief| thief.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(!tokens.is_empty(), "nobody was fast enough to show anything");
    let alive = tokens.iter().filter(|token| is_alive(&server, token)).count();
    assert_eq!(alive, 0, "of {}", tokens.len());
}

#[test]
fn a_changed_password_ends_every_other_token_and_not_the_callers() {
    let (server, person) = Person::with(&[]);
    let (other, stranger) = (person.sign_in(&server), Person::new(&server));
    let (mut own_socket, mut other_socket) =
        (TestSocket::of(&server, &person), TestSocket::with_token(&server, &other));
    let change = |old: &str, new: &str| person.change_password(&server, old, new);
    for (old, new, status, message) in [
        ("1234", "new password", 422, "Password too short"),
        (&*person.password, "1234", 422, "Password too short"),
        (&person.password, "12345", 422, "Password do not match"),
        (&person.password, "ééééé", 422, "Password do not match"),
        (&person.password, "123456", 422, "Many people use this password, so it's easy to guess. Choose another one."),
        ("12345", "new password", 403, "incorrect password!"),
    ] {
        change(old, new).assert(status, message);
    }
    assert!(is_alive(&server, &other), "a refused change ends nothing");

    password_is_set(&change(&person.password, "six777"));
    assert!(is_alive(&server, &person.token), "the caller goes on");
    assert!(!is_alive(&server, &other));
    assert!(is_alive(&server, &stranger.token));
    other_socket.assert_signed_out();
    send_note(&server, &person.target(&server), "still here, and told of this").assert(201, "Anonymous Message Sent");
    assert_eq!(own_socket.next_frame()["unread"], 1);
    assert_eq!(login(&server, &person.username, &person.password).status, 401);
    assert!(is_alive(&server, &sign_in(&server, &person.username, "six777")));
}

/// A thief with the old password and a token must not undo a change made at the same moment.
#[test]
fn of_ten_who_change_a_password_at_once_one_succeeds() {
    let (server, person) = Person::with(NO_LIMITS);
    let tokens: Vec<_> = (0..10).map(|_| person.sign_in(&server)).collect();
    let (server, old) = (&server, &person.password);
    let change = |n: usize| {
        let form = json!({ "old_password": old, "new_password": format!("password {n}") });
        server.post("/api/user/change-password").json(&form)
    };
    let change = &change;
    let answers = at_once(tokens.iter().enumerate().map(|(n, token)| move || change(n).bearer(token).send()));
    let winners: Vec<_> = (0..10).filter(|&n| answers[n].status == 200).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let alive: Vec<_> = (0..10).filter(|&n| is_alive(server, &tokens[n])).collect();
    assert_eq!(alive, winners, "the winner's token goes on, and no other");
    sign_in(server, &person.username, &format!("password {}", winners[0]));
}
