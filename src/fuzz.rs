//! What fuzzing calls (`fuzz/`): what strangers send, up to where a handler has it as its own types.

use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_contract::limits::PICTURE_SIDE;
use annon_store::account::{Email, LoginName, SignUpPassword, Username};
use annon_store::invariant;
use annon_store::room::{Caption, ChatId, ChatText, RoomName};
use annon_store::text::{AnswerText, FeedbackText, NoteText, with_single_breaks};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::body::{fields, parse};
use crate::http::{self, account, page_of};
use crate::{auth, picture, seat};

macro_rules! each {
    ($read:ident($bytes:expr), $($kind:ty),* $(,)?) => { $($read::<$kind>($bytes);)* };
}

fn body_of<T: DeserializeOwned>(bytes: &[u8]) {
    let _ = parse::<T>(bytes);
}

fn text_of<T: TryFrom<String, Error = Code>>(text: &str) {
    let _ = T::try_from(text.to_owned());
}

fn words_of<T: for<'a> TryFrom<&'a str, Error = Code>>(text: &str) {
    let _ = T::try_from(text);
}

/// The body of a call, as JSON and as a form, and each text that may be in it.
pub fn body(bytes: &[u8]) {
    each!(
        body_of(bytes),
        account::Register,
        account::Login,
        account::ChangePassword,
        account::DeleteAccount,
        http::answer::PublishAnswer,
        http::confirm::ConfirmEmail,
        http::conversation::BeginConversation,
        http::conversation::ChangeConversation,
        http::conversation::SayLine,
        http::conversation::peek::PeekForm,
        http::image::Upload,
        http::note::SendNote,
        http::personal_page::SetPage,
        http::report::SendReport,
        http::reset::ResetConfirm,
        http::reset::ResetRequest,
        http::room::CreateRoom,
        http::room::RoomDoor,
        http::room::knock::KnockAnswer,
        http::shield::SetInbox,
    );
    for (_, value) in fields(bytes).unwrap_or_default() {
        let _ = NoteText::try_from(with_single_breaks(value));
    }
    let Ok(text) = str::from_utf8(bytes) else { return };
    each!(text_of(text), Username, Email, LoginName, SignUpPassword, ChatId, NoteText, AnswerText, FeedbackText);
    each!(words_of(text), ChatText, Caption, RoomName);
    let _ =
        page_of(text, (1, 200), |place| Uuid::try_parse(place).ok(), [Code::BeforeIsNoNote, Code::InboxLimitInvalid]);
}

/// What somebody shows to be let in: an access token, a seat, or the secret of a link.
pub fn token(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    auth::read(text);
    invariant!(!seat::is_ours(text, &random_bytes().unwrap_or_default()), "nobody makes up a seat");
    let _ = http::conversation::id_of(text);
}

/// A picture. What is drawn is within its limits, and is a picture.
pub fn picture(bytes: &[u8]) {
    if let Ok(drawn) = picture::redraw(bytes) {
        invariant!(u32::from(drawn.width.max(drawn.height)) <= PICTURE_SIDE, "a picture is drawn small");
        invariant!(picture::redraw(&drawn.jpeg).is_ok(), "what was drawn is a picture");
    }
}

#[test]
fn what_fuzzing_has_found_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/");
    for (name, read) in [("body", body as fn(&[u8])), ("token", token), ("picture", picture)] {
        let files: Vec<_> = std::fs::read_dir(format!("{folder}{name}")).unwrap().collect();
        assert!(!files.is_empty());
        for file in files {
            read(&std::fs::read(file.unwrap().path()).unwrap());
        }
    }
}
