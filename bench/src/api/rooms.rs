//! Calls about rooms.

use serde_json::{Value, json};

use crate::api::{Api, Who, odd, word};
use crate::trouble::Trouble;

/// A place in a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seat {
    /// How the others see its owner.
    pub(crate) face: String,
    /// What shows that it is theirs: a cookie's name and value.
    pub(crate) cookie: String,
}

impl Api {
    /// Makes a room.
    pub(crate) async fn create_room(&mut self, token: &str, name: &str) -> Result<String, Trouble> {
        const PATH: &str = "/api/room/create";
        let answer = self.expect(201, "POST", PATH, Who::Token(token), Some(json!({"name": name}))).await?;
        word(&answer, "room_id", PATH)
    }

    /// Takes a seat, or finds the one that the cookie is for.
    pub(crate) async fn seat(&mut self, room: &str, cookie: Option<&str>) -> Result<Seat, Trouble> {
        let path = format!("/api/room-emoji/{room}");
        let answer = self.raw("GET", &path, cookie.map_or(Who::Nobody, Who::Seat), None).await?;
        let Value::String(face) = answer.expect(200, &path)? else { return Err(odd(&path, "it is no JSON string")) };
        let cookie = answer.cookie.or_else(|| cookie.map(str::to_owned));
        Ok(Seat { face, cookie: cookie.ok_or_else(|| odd(&path, "it brings no cookie"))? })
    }

    /// Gives a seat back for good.
    pub(crate) async fn leave_room(&mut self, room: &str, cookie: &str) -> Result<(), Trouble> {
        let path = format!("/api/room/{room}/seat");
        self.expect(200, "DELETE", &path, Who::Seat(cookie), None).await.map(drop)
    }

    /// Lines of a room, oldest first: the newest, or those before a place.
    pub(crate) async fn room_lines(
        &mut self,
        room: &str,
        cookie: &str,
        before: Option<u64>,
    ) -> Result<Vec<Value>, Trouble> {
        let before = before.map_or(String::new(), |seq| format!("?before={seq}"));
        let path = format!("/api/room/{room}{before}");
        let mut answer = self.expect(200, "GET", &path, Who::Seat(cookie), None).await?;
        match answer["data"]["messages"].take() {
            Value::Array(lines) => Ok(lines),
            _ => Err(odd(&path, "it has no messages")),
        }
    }
}
