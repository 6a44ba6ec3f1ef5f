//! The API's description, generated from the handlers' types.

use actix_web::http::StatusCode;
use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, Info, Schema};

use crate::error::{Outcome, Refusal};
use crate::http;
use annon_actors::conversation::frame::{LineUnsentFrame, OpenFrame, ReactedFrame, SaidFrame, SeenFrame, WritingFrame};
use annon_actors::inbox::frame::{AnswerItem, InboxFrame, NoteItem, OwnConversationFrame, OwnRoomFrame, ReadyFrame};
use annon_actors::room::frame::knocks::KnocksFrame;
use annon_actors::room::frame::reactions::ReactFrame;
use annon_actors::room::frame::{
    ActiveUsersFrame, ChatFrame, NotifyFrame, RefusedFrame, RoomReadyFrame, TypingFrame, UnsendFrame,
};
use annon_actors::room::{ClientFrame, ClientMessage};
use annon_actors::session::frame::{ClosedFrame, ErrorFrame};
use annon_contract::code::Code;

mod bounds;

#[derive(OpenApi)]
#[openapi(
    components(schemas(Outcome, Refusal, NoteItem, AnswerItem, InboxFrame, OwnRoomFrame, KnocksFrame, OwnConversationFrame, SaidFrame, SeenFrame, LineUnsentFrame, ReactedFrame, OpenFrame, WritingFrame, ReadyFrame, ErrorFrame, ClosedFrame, ClientFrame,
        ClientMessage, ChatFrame, NotifyFrame, UnsendFrame, ReactFrame, ActiveUsersFrame, TypingFrame, RoomReadyFrame, RefusedFrame)),
    tags(
        (name = "account", description = "Signing up, signing in and out, passwords"),
        (name = "note", description = "Sending an anonymous note"),
        (name = "inbox", description = "Reading and deleting received notes"),
        (name = "push", description = "Telling browsers of the caller while no page is open, by web push"),
        (name = "page", description = "What everybody reads on a personal page: public answers, prompts, a line"),
        (name = "conversation", description = "What the owner of an inbox and the sender of a note say to each other"),
        (name = "room", description = "Groups: seats, messages and pictures"),
        (name = "feedback", description = "Feedback to the operator"),
        (name = "operator", description = "Health checks and this description"),
    ),
)]
struct Api;

/// The description as JSON.
pub struct Document(pub String);

impl Document {
    pub fn new() -> Result<Self, serde_json::Error> {
        serde_json::to_string_pretty(&describe()?).map(Self)
    }
}

fn describe() -> Result<Value, serde_json::Error> {
    let mut api = Api::openapi();
    api.merge(http::Described::openapi());
    api.info = Info::new("Annon", env!("CARGO_PKG_VERSION"));
    api.info.description = Some(
        "Anonymous notes and short-lived group chats. Almost every answer is a JSON object with a `status` equal to \
         the HTTP status. Every error has a `code` to decide by and a `message` to show to the user. Unknown fields are ignored."
            .to_owned(),
    );
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let components = api.components.get_or_insert_with(Components::new);
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    let about = "`Annon` and the conversation's key: 32 bytes in base64url";
    let key = ApiKey::Header(ApiKeyValue::with_description("Authorization", about));
    components.add_security_scheme("annon", SecurityScheme::ApiKey(key));
    components.schemas.insert("Code".to_owned(), codes().into());
    let mut value = serde_json::to_value(&api)?;
    name_calls(&mut value);
    describe_answers(&mut value);
    bounds::write(&mut value);
    Ok(value)
}

/// The schema of all codes, with their sentences for whoever translates them.
fn codes() -> Schema {
    let sentences: Vec<_> = Code::ALL.iter().map(|code| code.sentence()).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("What a program decides by: a code stays what it is, while its sentence may be worded anew."))
        .enum_values(Some(Code::ALL.iter().map(|code| code.name())))
        .extensions(Some(ExtensionsBuilder::new().add("x-enum-descriptions", sentences).build()))
        .into()
}

/// Names every call by its method and path. The default would be the handlers'
/// names, and several files have handlers of the same name.
fn name_calls(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, calls) in paths {
        let words: Vec<_> = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for (method, call) in calls.as_object_mut().into_iter().flatten() {
            call["operationId"] = format!("{method}_{}", words.join("_")).into();
        }
    }
}

/// Every answer needs a description. Most say no more than their status.
fn describe_answers(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let calls = paths.flat_map(|(_, calls)| calls.as_object_mut().into_iter().flatten());
    for (status, answer) in calls.flat_map(|(_, call)| call["responses"].as_object_mut().into_iter().flatten()) {
        if answer["description"].as_str().is_none_or(str::is_empty) {
            let reason = status.parse().ok().and_then(|status: StatusCode| status.canonical_reason());
            answer["description"] = reason.unwrap_or_default().into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_call_has_a_name_of_its_own() {
        let document = describe().unwrap();
        let calls =
            document["paths"].as_object().unwrap().values().flat_map(|calls| calls.as_object().unwrap().values());
        let names: Vec<_> = calls.map(|call| call["operationId"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
        assert!(names.contains(&"get_api_room_id".to_owned()));
    }

    #[test]
    fn the_web_app_has_the_same_description() {
        let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/shared/wire/openapi.json");
        let kept = std::fs::read_to_string(kept).unwrap();
        // Not assert_eq, which would print both documents.
        assert!(kept.trim_end() == Document::new().unwrap().0, "run `make wire`");
    }
}
