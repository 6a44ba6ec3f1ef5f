//! Adds the lengths and allowed values of request fields to the description.
//! The handlers refuse everything else, by the same constants
//! (`annon_contract::limits`).

use annon_contract::limits::{
    ANSWER_MAX, CAPTION_MAX, CHANGE_PASSWORD_MIN, CHANGE_PASSWORD_OVER, CHAT_ID_LEN, CHAT_MAX, CONVERSATIONS_PEEKED,
    DELETE_PASSWORD_MIN, EMAIL_MAX, ENDPOINT_MAX, FEEDBACK_MAX, FEEDBACK_MIN, FINGERPRINT_BYTES, HELD_WORD_MAX,
    INBOX_KEY_BYTES, LINE_MAX, LOGIN_MIN, NOTE_MAX, NOTE_MIN, PAGE_LINE_MAX, PASSWORD_MAX, PROMPT_MAX, PROMPTS,
    REPORT_MAX, ROOM_LIFETIME_HOURS, ROOM_NAME_MAX, ROOM_NAME_MIN, ROOM_SHORT_LIFETIME_HOURS, SEALED_AROUND,
    SEALED_CHECK_BYTES, SEALED_NOTE_AROUND, SEALED_NOTE_SIZES, SEALED_SIZES, SIGNUP_PASSWORD_MIN, TAG_BYTES,
    USERNAME_MAX, USERNAME_MIN, WRAPPED_KEY_MAX,
};
use annon_store::push::{Kind, Language};
use serde_json::{Value, json};

/// The shortest address there can be: `a@b.co`.
const EMAIL_MIN: usize = 6;

/// The usual form of an address: atoms, and then labels of a domain.
const EMAIL: &str = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$";

/// An id where the words beside it depend on others: tools forget its format there.
const UUID: &str = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

/// Bytes of an id that is drawn by a browser, and of a key.
const ID_BYTES: usize = 16;
const KEY_BYTES: usize = 32;
/// Bytes of a browser's key for web push.
const BROWSER_KEY_BYTES: usize = 65;
/// Bytes of the longest note that is sealed, and of the longest line.
const LONGEST_NOTE: usize = SEALED_NOTE_AROUND + SEALED_NOTE_SIZES[SEALED_NOTE_SIZES.len() - 1];
const LONGEST_LINE: usize = SEALED_AROUND + SEALED_SIZES[SEALED_SIZES.len() - 1];

/// What may stand in the brackets of a pattern: white space, as it is removed from the ends of a text.
const WHITE: &str = r"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
/// Control characters, which are removed from a text.
const CONTROL: &str = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f";
/// What is removed from a name: marks of direction, and control characters that are no white space.
const CONTROL_OF_NAME: &str =
    r"\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069";
/// What nobody sees: a text of nothing else is empty.
const UNSEEN: &str = r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8";

enum Bound {
    /// The fewest and the most characters.
    Length(usize, usize),
    /// The most characters that are sent, and the fewest that are left of them after tidying.
    Words(usize, usize),
    /// The same for a name, which is tidied more.
    Name(usize, usize),
    Email,
    /// So many bytes in base64url.
    Bytes(usize),
    /// A pattern, which tells the length, too.
    Shape(String),
    /// The most entries of a list.
    Most(usize),
    /// A number.
    Number,
    OneOf(Value),
}

use Bound::{Bytes, Email, Length, Most, Name, Number, OneOf, Shape, Words};

/// Writes the bounds and examples into a description.
pub(super) fn write(document: &mut Value) {
    for (schema, field, bound) in bounds() {
        let place = format!("/components/schemas/{schema}/properties/{field}");
        if let Some(field) = document.pointer_mut(&place) {
            bound.write(field);
        }
    }
    words_or_sealed(document);
    // Only these have lines that can be shown.
    if let Some(report) = document.pointer_mut("/components/schemas/SendReport") {
        report["if"] = json!({ "properties": { "about": { "enum": ["note", "page"] } } });
        report["then"] = json!({ "properties": { "lines": { "maxItems": 0 } } });
    }
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let calls = paths.flat_map(|(_, calls)| calls.as_object_mut().into_iter().flatten());
    for asked in
        calls.flat_map(|(_, call)| call.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten())
    {
        if let Some(example) = example(asked) {
            asked["example"] = example.into();
        }
        unsigned(&mut asked["schema"]);
        // An id that isn't one is refused here, while elsewhere it only isn't found.
        if asked["name"] == "before" && asked["schema"]["type"] == "string" && asked["schema"]["format"].is_null() {
            Bytes(ID_BYTES).write(&mut asked["schema"]);
        }
        if asked["name"] == "tag" {
            Bytes(TAG_BYTES).write(&mut asked["schema"]);
        }
    }
}

/// Where something may be sealed, its text is either words or what browsers seal.
fn words_or_sealed(document: &mut Value) {
    let (note, line) = (sealed(&SEALED_NOTE_SIZES, SEALED_NOTE_AROUND), sealed(&SEALED_SIZES, SEALED_AROUND));
    let is_sealed = json!({ "properties": { "sealed": { "const": true } }, "required": ["sealed"] });
    let name = sealed(&SEALED_SIZES[..2], SEALED_AROUND);
    let name = json!({ "name": alone(&name), "check": described(Bytes(SEALED_CHECK_BYTES)) });
    let without_copy = json!({ "conversation": { "type": "null" }, "message": alone(&note) });
    let with_copy = json!({ "conversation": { "type": "object" }, "message": alone(&format!(r"{note}\.{line}")) });
    let sealed_note =
        json!({ "anyOf": [{ "properties": without_copy }, { "properties": with_copy, "required": ["conversation"] }] });
    let forms = [
        (
            "SendNote",
            json!({ "properties": { "sealed_for": { "type": "string" } }, "required": ["sealed_for"] }),
            sealed_note,
            json!({ "message": described(Words(NOTE_MIN, NOTE_MAX)) }),
        ),
        (
            "SayLine",
            is_sealed.clone(),
            json!({ "properties": { "message": alone(&line) } }),
            json!({ "message": described(Words(1, LINE_MAX)) }),
        ),
        (
            "CreateRoom",
            is_sealed,
            json!({ "properties": name, "required": ["check"] }),
            json!({ "name": described(Name(ROOM_NAME_MIN, ROOM_NAME_MAX)) }),
        ),
    ];
    for (form, is_sealed, sealed, open) in forms {
        if let Some(form) = document.pointer_mut(&format!("/components/schemas/{form}")) {
            (form["if"], form["then"], form["else"]) = (is_sealed, sealed, json!({ "properties": open }));
        }
    }
}

fn described(bound: Bound) -> Value {
    let mut field = json!({});
    bound.write(&mut field);
    field
}

/// A text of this pattern and nothing else.
fn alone(pattern: &str) -> Value {
    described(Shape(format!("^{pattern}$")))
}

/// The pattern of what browsers have sealed and padded to one of these lengths. Its first byte is 1.
fn sealed(padded: &[usize], around: usize) -> String {
    let each: Vec<_> = padded.iter().map(|bytes| encoded("A[Q-Za-f]", bytes + around)).collect();
    format!("({})", each.join("|"))
}

/// Says that a number may be as large as 64 bits without a sign can tell.
fn unsigned(field: &mut Value) {
    if field["format"] == "int64" && field["maximum"].is_null() {
        field["format"] = "uint64".into();
        field["maximum"] = u64::MAX.into();
    }
}

/// What a parameter looks like, so that whoever tries a call has something of the right shape.
fn example(asked: &Value) -> Option<&'static str> {
    let is_uuid = asked["schema"]["format"] == "uuid";
    Some(match asked["name"].as_str()? {
        // `before` of some lists is a number.
        _ if asked["schema"]["type"] != "string" => return None,
        _ if is_uuid => "01890a5d-ac96-774b-bcce-b302099a8057",
        "username" => "some-body",
        "id" | "tag" | "before" => "AAAAAAAAehwAAAAAAAAAAQ",
        "knock" => "5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41",
        "emoji" => "🦊",
        "Accept-Language" => "de-DE,de;q=0.9,en;q=0.5",
        "Annon-Seat" => "new",
        _ => return None,
    })
}

impl Bound {
    fn write(self, field: &mut Value) {
        let (length, pattern) = match self {
            Length(min, max) => (Some((min, max)), None),
            Words(min, max) => (Some((min, max)), visible(min, CONTROL)),
            Name(min, max) => (Some((min, max)), visible(min, CONTROL_OF_NAME)),
            Email => {
                field["format"] = "email".into();
                (Some((EMAIL_MIN, EMAIL_MAX)), Some(EMAIL.to_owned()))
            }
            Bytes(bytes) => (None, Some(base64url(bytes))),
            Shape(pattern) => (None, Some(pattern)),
            Most(entries) => {
                field["maxItems"] = entries.into();
                (None, None)
            }
            Number => {
                unsigned(field);
                (None, None)
            }
            OneOf(values) => {
                field["enum"] = values;
                (None, None)
            }
        };
        if let Some((min, max)) = length {
            field["minLength"] = min.into();
            field["maxLength"] = max.into();
        }
        if let Some(pattern) = pattern {
            field["pattern"] = pattern.into();
        }
    }
}

/// The pattern of a text of which so many characters are left when its control characters and the
/// white space at its ends are removed.
fn visible(least: usize, removed: &str) -> Option<String> {
    let at_end = format!("[^{WHITE}{removed}]");
    match least {
        0 => None,
        1 => Some(format!("[^{WHITE}{removed}{UNSEEN}]")),
        2 => Some(format!(r"{at_end}[\s\S]*{at_end}")),
        _ => Some(format!(r"{at_end}([{removed}]*[^{removed}]){{{}}}[\s\S]*{at_end}", least - 2)),
    }
}

/// The pattern of some bytes in base64url, without padding.
fn base64url(bytes: usize) -> String {
    format!("^{}$", encoded("", bytes))
}

/// The same as a part of a pattern, where that of the first two characters may be given.
fn encoded(first: &str, bytes: usize) -> String {
    let (whole, rest) = (bytes / 3 * 4 - if first.is_empty() { 0 } else { 2 }, bytes % 3);
    match rest {
        0 => format!("{first}[A-Za-z0-9_-]{{{whole}}}"),
        1 => format!("{first}[A-Za-z0-9_-]{{{}}}[AQgw]", whole + 1),
        _ => format!("{first}[A-Za-z0-9_-]{{{}}}[AEIMQUYcgkosw048]", whole + 2),
    }
}

/// The pattern of a wrapped key: of whole groups of three bytes, and what may follow them.
fn wrapped() -> String {
    // The shortest has two bytes after its last group, as the longest has.
    let (least, most) = (SEALED_AROUND / 3, WRAPPED_KEY_MAX / 3);
    let last = "[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]";
    let rest = format!("([A-Za-z0-9_-][AQgw]|{last})?");
    format!("^([A-Za-z0-9_-]{{4}}){{{least}}}({last}|([A-Za-z0-9_-]{{4}}){{1,{}}}{rest})$", most - least)
}

/// How many characters so many bytes are in base64url.
const fn characters(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}

fn bounds() -> Vec<(&'static str, &'static str, Bound)> {
    let password = |min| Length(min, PASSWORD_MAX);
    vec![
        ("Register", "username", Shape(format!("^[A-Za-z0-9_{WHITE}-]{{{USERNAME_MIN},{USERNAME_MAX}}}$"))),
        ("Register", "email", Email),
        ("Register", "password", password(SIGNUP_PASSWORD_MIN)),
        ("Login", "email_or_username", Name(LOGIN_MIN, EMAIL_MAX)),
        ("Login", "password", password(LOGIN_MIN)),
        ("ChangePassword", "old_password", password(CHANGE_PASSWORD_MIN)),
        ("ChangePassword", "new_password", password(CHANGE_PASSWORD_OVER + 1)),
        ("DeleteAccount", "password", password(DELETE_PASSWORD_MIN)),
        ("ResetRequest", "email", Email),
        ("ResetConfirm", "new_password", password(SIGNUP_PASSWORD_MIN)),
        ("SendNote", "message", Length(1, characters(LONGEST_NOTE) + 1 + characters(LONGEST_LINE))),
        ("SendNote", "sealed_for", Bytes(FINGERPRINT_BYTES)),
        ("SendNote", "note_id", Shape(UUID.to_owned())),
        ("PublishAnswer", "answer", Words(1, ANSWER_MAX)),
        ("PublishAnswer", "note", Words(NOTE_MIN, NOTE_MAX)),
        ("SealInbox", "key", Shape(format!("^{}$", encoded("B[A-P]", INBOX_KEY_BYTES)))),
        ("SealInbox", "wrapped", Shape(wrapped())),
        ("HandoverItem", "wrapped", Shape(wrapped())),
        ("SetPage", "line", Words(0, PAGE_LINE_MAX)),
        ("SetPage", "prompts", Most(PROMPTS)),
        ("SetPage", "prompts/items", Name(1, PROMPT_MAX)),
        ("SetInbox", "held_words/items", Length(1, HELD_WORD_MAX)),
        ("SendNote", "tag", Bytes(TAG_BYTES)),
        ("Subscribe", "endpoint", Length(1, ENDPOINT_MAX)),
        ("SubscribeHere", "endpoint", Length(1, ENDPOINT_MAX)),
        ("SubscribeHere", "language", OneOf(json!([Language::En, Language::De]))),
        ("PushKeys", "p256dh", Bytes(BROWSER_KEY_BYTES)),
        ("PushKeys", "auth", Bytes(ID_BYTES)),
        ("Subscribe", "kinds/items", OneOf(json!(Kind::ALL))),
        ("SubscriptionItem", "kinds/items", OneOf(json!(Kind::ALL))),
        ("Subscribe", "language", OneOf(json!([Language::En, Language::De]))),
        ("BeginConversation", "id", Bytes(ID_BYTES)),
        ("BeginConversation", "proof", Bytes(KEY_BYTES)),
        ("SayLine", "id", Shape(format!("^[A-Za-z0-9]{{{CHAT_ID_LEN}}}$"))),
        ("SayLine", "message", Length(1, characters(LONGEST_LINE))),
        ("PeekForm", "ids", Most(CONVERSATIONS_PEEKED)),
        ("FeedbackForm", "feedback", Words(FEEDBACK_MIN, FEEDBACK_MAX)),
        ("SendReport", "words", Length(0, REPORT_MAX)),
        ("SendReport", "lines/items", Number),
        ("ChangeConversation", "seen", Number),
        ("CreateRoom", "name", Length(1, characters(SEALED_SIZES[1] + SEALED_AROUND))),
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
            let is_bound =
                ["maxLength", "enum", "pattern", "maxItems", "maximum"].iter().any(|word| field.get(word).is_some());
            assert!(is_bound, "{place}");
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
                let is_told = field["maxLength"].is_u64() || field["pattern"].is_string();
                assert!(!is_word || is_told, "{schema}.{name}");
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
