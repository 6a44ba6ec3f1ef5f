//! Adds the lengths and allowed values of request fields to the description.
//! The handlers refuse everything else, by the same constants
//! (`annon_contract::limits`).

use annon_contract::limits::{
    ANSWER_MAX, CAPTION_MAX, CHANGE_PASSWORD_MIN, CHANGE_PASSWORD_OVER, CHAT_ID_LEN, CHAT_MAX, DELETE_PASSWORD_MIN,
    EMAIL_MAX, FEEDBACK_MAX, FEEDBACK_MIN, LINE_MAX, LOGIN_MIN, NOTE_MAX, NOTE_MIN, PAGE_LINE_MAX, PASSWORD_MAX_BYTES,
    REPORT_MAX, ROOM_LIFETIME_HOURS, ROOM_NAME_MAX, ROOM_NAME_MIN, ROOM_SHORT_LIFETIME_HOURS, SIGNUP_PASSWORD_MIN,
    USERNAME_MAX, USERNAME_MIN,
};
use serde_json::{Value, json};

/// The shortest address there can be: `a@b`.
const EMAIL_MIN: usize = 3;
/// How long 16 bytes and 32 bytes are in base64url.
const ID_LENGTH: usize = 22;
const KEY_LENGTH: usize = 43;

enum Bound {
    /// The fewest and the most characters.
    Length(usize, usize),
    OneOf(Value),
}

use Bound::{Length, OneOf};

/// Writes the bounds into a description.
pub(super) fn write(document: &mut Value) {
    for (schema, field, bound) in bounds() {
        let place = format!("/components/schemas/{schema}/properties/{field}");
        let Some(field) = document.pointer_mut(&place) else { continue };
        match bound {
            Length(min, max) => {
                field["minLength"] = min.into();
                field["maxLength"] = max.into();
            }
            OneOf(values) => field["enum"] = values,
        }
    }
}

fn bounds() -> Vec<(&'static str, &'static str, Bound)> {
    // The limit is in bytes, so no password has more characters than that.
    let password = |min| Length(min, PASSWORD_MAX_BYTES);
    vec![
        ("Register", "username", Length(USERNAME_MIN, USERNAME_MAX)),
        ("Register", "email", Length(EMAIL_MIN, EMAIL_MAX)),
        ("Register", "password", password(SIGNUP_PASSWORD_MIN)),
        ("Login", "email_or_username", Length(LOGIN_MIN, EMAIL_MAX)),
        ("Login", "password", password(LOGIN_MIN)),
        ("ChangePassword", "old_password", password(CHANGE_PASSWORD_MIN)),
        ("ChangePassword", "new_password", password(CHANGE_PASSWORD_OVER + 1)),
        ("DeleteAccount", "password", password(DELETE_PASSWORD_MIN)),
        ("ResetRequest", "email", Length(EMAIL_MIN, EMAIL_MAX)),
        ("ResetConfirm", "new_password", password(SIGNUP_PASSWORD_MIN)),
        ("SendNote", "message", Length(NOTE_MIN, NOTE_MAX)),
        ("PublishAnswer", "answer", Length(1, ANSWER_MAX)),
        ("SetPage", "line", Length(0, PAGE_LINE_MAX)),
        ("SendNote", "tag", Length(ID_LENGTH, ID_LENGTH)),
        ("BeginConversation", "id", Length(ID_LENGTH, ID_LENGTH)),
        ("BeginConversation", "proof", Length(KEY_LENGTH, KEY_LENGTH)),
        ("SayLine", "id", Length(CHAT_ID_LEN, CHAT_ID_LEN)),
        ("SayLine", "message", Length(1, LINE_MAX)),
        ("Peek", "id", Length(ID_LENGTH, ID_LENGTH)),
        ("Peek", "key", Length(KEY_LENGTH, KEY_LENGTH)),
        ("FeedbackForm", "feedback", Length(FEEDBACK_MIN, FEEDBACK_MAX)),
        ("SendReport", "words", Length(0, REPORT_MAX)),
        ("CreateRoom", "name", Length(ROOM_NAME_MIN, ROOM_NAME_MAX)),
        ("CreateRoom", "lifetime_hours", OneOf(json!([ROOM_LIFETIME_HOURS, ROOM_SHORT_LIFETIME_HOURS, null]))),
        ("ClientFrame", "action", OneOf(json!(["sendMessage"]))),
        ("ClientMessage", "event", OneOf(json!(EVENTS))),
        ("ClientMessage", "id", Length(CHAT_ID_LEN, CHAT_ID_LEN)),
        ("ClientMessage", "message", Length(0, CHAT_MAX)),
        ("ClientMessage", "caption", Length(0, CAPTION_MAX)),
    ]
}

/// The events a member's socket accepts.
const EVENTS: [&str; 7] =
    ["event.connect", "event.chat", "event.image", "event.active-users", "event.typing", "event.unsend", "event.react"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::describe;
    use annon_contract::limits::{INBOX_PAGE_MAX, ROOM_PAGE_MAX};

    #[test]
    fn every_bound_is_of_a_field_there_is() {
        let document = describe().unwrap();
        for (schema, field, _) in bounds() {
            let place = format!("/components/schemas/{schema}/properties/{field}");
            let field = document.pointer(&place).unwrap_or_else(|| panic!("{place}"));
            assert!(field.get("maxLength").is_some() || field.get("enum").is_some(), "{place}");
        }
    }

    #[test]
    fn every_word_that_is_sent_has_its_length_told() {
        let document = describe().unwrap();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let sent = ["ChangePassword", "DeleteAccount", "SendNote", "CreateRoom", "SayLine", "PublishAnswer"];
        for schema in sent {
            for (name, field) in schemas[schema]["properties"].as_object().unwrap() {
                let is_word = field["type"] == "string" && field.get("format").is_none();
                assert!(!is_word || field["maxLength"].is_u64(), "{schema}.{name}");
            }
        }
    }

    #[test]
    fn a_page_is_as_long_as_is_told() {
        let document = describe().unwrap();
        for (path, most) in [
            ("/api/room/{id}", ROOM_PAGE_MAX),
            ("/api/messages", INBOX_PAGE_MAX),
            ("/api/conversations", INBOX_PAGE_MAX),
            ("/api/annon/{username}/answers", INBOX_PAGE_MAX),
        ] {
            let asked = document["paths"][path]["get"]["parameters"].as_array().unwrap();
            assert_eq!(asked.iter().find(|asked| asked["name"] == "limit").unwrap()["schema"]["maximum"], most);
        }
    }
}
