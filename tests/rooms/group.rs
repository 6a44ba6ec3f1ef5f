//! A group with its creator, and visitors with a seat in it.

use serde_json::{Value, json};

use crate::rooms::member::Member;
use crate::support::client::{Answer, Call};
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};

pub(crate) const GONE: &str = "Sorry, It Looks Like This Group Has Expired";
pub(crate) const FULL: &str = "Sorry, It Looks Like This Group Is Full Already";
pub(crate) const LOCKED: &str = "This group is locked";
pub(crate) const NO_SEAT: &str = "You are not a member of this group";
pub(crate) const REMOVED: &str = "You were removed from this group";
pub(crate) const NOT_YOURS: &str = "Only the creator of this group can do that.";

/// A server that does not limit the calls of an address.
pub(crate) fn server(flags: &[&str]) -> Server {
    Server::with(&[NO_LIMITS, flags].concat())
}

#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) id: String,
    pub(crate) creator: Person,
}

/// The seat of a visitor's browser.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    pub(crate) cookie: String,
    pub(crate) emoji: String,
}

pub(crate) fn create(server: &Server, creator: &Person, body: &Value) -> Answer {
    creator.call(server, "POST", "/api/room/create").json(body).send()
}

impl Group {
    /// A group on a server of its own, with these flags.
    pub(crate) fn with(flags: &[&str]) -> (Server, Self) {
        let server = server(flags);
        let group = Self::new(&server);
        (server, group)
    }

    pub(crate) fn new(server: &Server) -> Self {
        Self::of(server, Person::new(server))
    }

    pub(crate) fn of(server: &Server, creator: Person) -> Self {
        let answer = create(server, &creator, &json!({ "name": "midnight tacos" }));
        assert_eq!((answer.status, &answer.json()["creator"]), (201, &json!(creator.username)), "{answer:?}");
        Self { id: answer.json()["room_id"].as_str().unwrap().to_owned(), creator }
    }

    /// `/api/room/{id}`, followed by `rest`.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/room/{}{rest}", self.id)
    }

    pub(crate) fn try_seat(&self, server: &Server, cookie: Option<&str>) -> Answer {
        server.get(&format!("/api/room-emoji/{}", self.id)).cookie(cookie).send()
    }

    /// A seat for a new visitor.
    pub(crate) fn seat(&self, server: &Server) -> Seat {
        seated(&self.try_seat(server, None)).unwrap()
    }

    pub(crate) fn seats<const N: usize>(&self, server: &Server) -> [Seat; N] {
        std::array::from_fn(|_| self.seat(server))
    }

    /// New visitors, each with a connected socket.
    pub(crate) fn members<const N: usize>(&self, server: &Server) -> [Member; N] {
        self.seats(server).map(|seat| Member::open(server, self, &seat))
    }

    /// A call with the creator's token.
    pub(crate) fn command(&self, server: &Server, method: &str, rest: &str) -> Call {
        self.creator.call(server, method, &self.path(rest))
    }

    pub(crate) fn kick(&self, server: &Server, who: &Seat, query: &str) -> Answer {
        let emoji: String = who.emoji.bytes().map(|byte| format!("%{byte:02X}")).collect();
        self.command(server, "DELETE", &format!("/member/{emoji}{query}")).send()
    }

    pub(crate) fn view(&self, server: &Server, seat: Option<&Seat>, query: &str) -> Answer {
        server.get(&self.path(query)).cookie(seat.map(|seat| &*seat.cookie)).send()
    }

    /// The group's data as a visitor with this seat sees it.
    pub(crate) fn data(&self, server: &Server, seat: &Seat) -> Value {
        let answer = self.view(server, Some(seat), "");
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["data"].clone()
    }

    /// The messages that a visitor with this seat sees, oldest first.
    pub(crate) fn words(&self, server: &Server, seat: &Seat) -> Vec<String> {
        let data = self.data(server, seat);
        let messages = data["messages"].as_array().unwrap().clone();
        let chats = messages.iter().filter(|line| line["event"] == "event.chat");
        chats.map(|line| line["message"].as_str().unwrap().to_owned()).collect()
    }
}

/// The seat that an answer gives, or its status and sentence.
pub(crate) fn seated(answer: &Answer) -> Result<Seat, (u16, String)> {
    if answer.status != 200 {
        return Err((answer.status, answer.message()));
    }
    let emoji = answer.json().as_str().unwrap().to_owned();
    let cookie = answer.header("set-cookie").unwrap_or_default();
    Ok(Seat { cookie: cookie.split(';').next().unwrap().to_owned(), emoji })
}
