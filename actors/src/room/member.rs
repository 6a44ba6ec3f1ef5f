//! The role of a room's socket: it turns frames into messages to the actor.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use actix::Addr;
use annon_contract::code::Code;
use annon_contract::limits::CHAT_ID_LEN;
use annon_store::image::ImageId;
use annon_store::room::{Body, Caption, ChatId, ChatText, MemberId, RoomId, Seq, Sign};
use annon_store::sealed::{Sealed, SealedKind};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use uuid::Uuid;

use crate::bucket::Rate;
use crate::ids::growing_id;
use crate::room::frame::{image_path, refused};
use crate::room::shell::Shell;
use crate::room::shell::actor::ToRoom;
use crate::room::shell::member_requests::MemberRequest;
use crate::room::shell::requests::Request;
use crate::room::shell::sockets::Socket;
use crate::session::{EncodedFrame, FRAME_RATE, Outbox, Role, RoomThread};

/// The only action there is.
const ACTION: &str = "sendMessage";
/// The only event whose message is a place.
const REACT: &str = "event.react";

/// A frame that a client sends in a group.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClientFrame<'a> {
    /// Always `sendMessage`.
    #[serde(borrow)]
    #[schema(example = "sendMessage")]
    action: Cow<'a, str>,
    /// The id of the group the socket was opened for.
    #[serde(borrow)]
    room_id: Cow<'a, str>,
    /// The content of the frame.
    #[serde(borrow)]
    message: ClientMessage<'a>,
}

/// The content of a client's frame. A sender or a time in it is ignored.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClientMessage<'a> {
    /// `event.connect`, `event.chat`, `event.image`, `event.active-users`, `event.typing`,
    /// `event.unsend` or `event.react`; others are ignored.
    #[serde(borrow)]
    #[schema(example = "event.chat")]
    event: Cow<'a, str>,
    /// The message's id: letters and digits of the sender's choice. A message
    /// that is sent twice with one id is posted once.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    id: Option<BorrowedStr<'a>>,
    #[serde(borrow)]
    #[schema(schema_with = said_schema)]
    message: Option<Said<'a>>,
    /// The caption of the picture. A sealed group has it in `message`.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    caption: Option<BorrowedStr<'a>>,
    /// The path of a picture uploaded to this group.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    image_src: Option<BorrowedStr<'a>>,
    /// The path of the picture's blurred preview.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    image_low: Option<BorrowedStr<'a>>,
    /// The message this one replies to: of the four items only the third, its
    /// `seq`, is read.
    #[schema(value_type = Option<Vec<Value>>)]
    reply: Option<Value>,
    /// In a sealed group: `key` if the message announces the key that its sender signs with.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    kind: Option<BorrowedStr<'a>>,
    /// In a sealed group: the id of the message that this one answers.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    answers: Option<BorrowedStr<'a>>,
    /// With `event.connect`: the last `seq` the client has seen.
    since: Option<u64>,
    /// With `event.react`: the reaction.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    emoji: Option<BorrowedStr<'a>>,
    /// With `event.react`: whether the reaction is to be there. If it is absent, it is.
    on: Option<bool>,
}

impl ClientMessage<'_> {
    fn words(&self) -> &str {
        match &self.message {
            Some(Said::Words(words)) => words,
            Some(Said::Place(_)) | None => "",
        }
    }

    fn place(&self) -> Option<Seq> {
        match self.message {
            Some(Said::Place(place)) => Some(Seq(place)),
            Some(Said::Words(_)) | None => None,
        }
    }
}

/// A text, or a message's place.
#[derive(Debug)]
enum Said<'a> {
    Words(Cow<'a, str>),
    Place(u64),
}

impl<'de: 'a, 'a> Deserialize<'de> for Said<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Said<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a place")
            }

            fn visit_borrowed_str<E>(self, words: &'de str) -> Result<Self::Value, E> {
                Ok(Said::Words(words.into()))
            }

            fn visit_str<E>(self, words: &str) -> Result<Self::Value, E> {
                Ok(Said::Words(words.to_owned().into()))
            }

            fn visit_u64<E>(self, place: u64) -> Result<Self::Value, E> {
                Ok(Said::Place(place))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

fn said_schema() -> Schema {
    let about = "The text. With `event.react`: the `seq` of the message.";
    let types = SchemaType::from_iter([Type::String, Type::Integer, Type::Null]);
    ObjectBuilder::new().schema_type(types).description(Some(about)).into()
}

/// A text that borrows from the frame, unless something in it is escaped.
/// Inside an `Option` serde borrows only by such a type.
#[derive(Debug, Deserialize)]
struct BorrowedStr<'a>(#[serde(borrow)] Cow<'a, str>);

/// The text, or an empty one if there is none.
fn text<'a>(word: &'a Option<BorrowedStr<'_>>) -> &'a str {
    word.as_ref().map_or("", |word| &word.0)
}

impl ClientFrame<'_> {
    /// The message's id for a refusal; `None` if it can't be an id at all.
    fn id(&self) -> Option<&str> {
        Some(text(&self.message.id)).filter(|id| id.len() == CHAT_ID_LEN)
    }
}

/// The message's id in a frame that isn't understood, if it has one.
fn id_within(frame: &str) -> Option<String> {
    let frame: Value = serde_json::from_str(frame).ok()?;
    frame["message"]["id"].as_str().filter(|id| id.len() == CHAT_ID_LEN).map(str::to_owned)
}

/// The role of one socket of a member.
pub struct Member {
    room: RoomId,
    /// Whether browsers seal what is said in the room.
    is_sealed: bool,
    member: MemberId,
    actor: Addr<Shell>,
    thread: Option<RoomThread>,
    socket: Uuid,
    sends: Option<Rate>,
}

impl Member {
    /// A socket of a member who has a seat. It is best run on `thread`, where
    /// the room's actor is: what it tells the actor needs no other thread then.
    pub(crate) fn new(
        (room, is_sealed): (RoomId, bool),
        member: MemberId,
        actor: Addr<Shell>,
        thread: Option<RoomThread>,
        sends: Option<Rate>,
    ) -> Self {
        Self { room, is_sealed, member, actor, thread, socket: growing_id(), sends }
    }

    fn understand(&self, message: &ClientMessage<'_>) -> Result<Option<MemberRequest>, Code> {
        let reply_to = message.reply.as_ref().and_then(quoted);
        let id = || ChatId::try_from(text(&message.id));
        Ok(Some(match &*message.event {
            "event.connect" => MemberRequest::Connect { since: message.since.map(Seq) },
            "event.chat" | "event.image" => {
                let id = id()?;
                let body = if self.is_sealed { self.sealed_body(message)? } else { self.open_body(message)? };
                MemberRequest::Post { id, body, reply_to }
            }
            "event.unsend" => MemberRequest::Retract(id()?),
            REACT => MemberRequest::React {
                id: message.id.as_ref().map(|_| id()).transpose()?,
                message: message.place().ok_or(Code::FrameNotUnderstood)?,
                sign: Sign::try_from(text(&message.emoji))?,
                on: message.on.unwrap_or(true),
            },
            "event.active-users" => MemberRequest::ActiveUsers,
            "event.typing" => MemberRequest::Typing,
            // Newer pages may know events that this server doesn't.
            _ => return Ok(None),
        }))
    }

    fn open_body(&self, message: &ClientMessage<'_>) -> Result<Body, Code> {
        let words = message.words();
        let Some((image, tiny)) = self.picture(message)? else { return Ok(Body::Text(ChatText::try_from(words)?)) };
        let caption = match text(&message.caption) {
            caption if caption.trim().is_empty() => Caption::try_from(words)?,
            caption => Caption::try_from(caption)?,
        };
        Ok(Body::Picture { image, tiny, caption })
    }

    fn sealed_body(&self, message: &ClientMessage<'_>) -> Result<Body, Code> {
        let kind = match text(&message.kind) {
            "" => SealedKind::Words,
            "key" => SealedKind::Key,
            _ => return Err(Code::SealedInvalid),
        };
        let answers = message.answers.as_ref().map(|answers| ChatId::try_from(&*answers.0)).transpose()?;
        Ok(Body::Sealed { words: Sealed::try_from(message.words())?, kind, answers, picture: self.picture(message)? })
    }

    /// The picture of a message, and its small form.
    fn picture(&self, message: &ClientMessage<'_>) -> Result<Option<(ImageId, Option<ImageId>)>, Code> {
        Ok(match [&message.image_src, &message.image_low].map(text) {
            ["", _] => None,
            [image, ""] => Some((self.image(image)?, None)),
            [image, tiny] => Some((self.image(image)?, Some(self.image(tiny)?))),
        })
    }

    /// The picture of a path that this room gave out. Anything else could lead
    /// members to somebody else's server.
    fn image(&self, src: &str) -> Result<ImageId, Code> {
        let id = src.rsplit('/').next().and_then(|id| Uuid::try_parse(id).ok()).map(ImageId);
        id.filter(|id| image_path(self.room, *id) == src).ok_or(Code::PictureOfOtherGroup)
    }

    fn handle(&self, text: &str) -> Result<(), EncodedFrame> {
        let not_understood = |_| refused(id_within(text).as_deref(), Code::FrameNotUnderstood);
        let frame: ClientFrame<'_> = serde_json::from_str(text).map_err(not_understood)?;
        let refuse = |code: Code| refused(frame.id(), code);
        if frame.room_id != *self.room.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()) {
            return Err(refuse(Code::SocketOfOtherGroup));
        }
        if frame.message.place().is_some() && frame.message.event != REACT {
            return Err(refuse(Code::FrameNotUnderstood));
        }
        if frame.action != ACTION {
            tracing::debug!("a socket asked for an unknown action; ignored");
            return Ok(());
        }
        let Some(request) = self.understand(&frame.message).map_err(refuse)? else {
            tracing::debug!("a socket sent an unknown event; ignored");
            return Ok(());
        };
        self.actor.try_send(ToRoom::Ask(Request::FromSocket(self.socket, request))).map_err(|_| refuse(Code::GroupBusy))
    }
}

/// The `seq` of the message that this one replies to.
fn quoted(reply: &Value) -> Option<Seq> {
    let place = reply.get(2)?;
    place.as_u64().or_else(|| place.as_str()?.parse().ok()).map(Seq)
}

impl Role for Member {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        // If the room has just ended, or its mailbox is full, this socket is
        // dropped, which ends the session.
        let _ = self.actor.try_send(ToRoom::Enter(self.socket, Socket::new(self.member, outbox)));
    }

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        self.handle(text).err()
    }

    fn rate(&self) -> Option<Rate> {
        let sends = self.sends?;
        Some(Rate {
            burst: sends.burst.max(FRAME_RATE.burst),
            refill: sends.refill.max(FRAME_RATE.refill),
            ..FRAME_RATE
        })
    }

    fn too_fast(&self, text: &str) -> EncodedFrame {
        let frame = serde_json::from_str::<ClientFrame<'_>>(text).ok();
        refused(frame.as_ref().and_then(ClientFrame::id), Code::SendingTooFast)
    }

    fn thread(&self) -> Option<RoomThread> {
        self.thread.clone()
    }

    fn closed(&mut self) {
        // If the mailbox is full, the room finds out when it next sends.
        let _ = self.actor.try_send(ToRoom::Exit(self.socket));
    }
}
