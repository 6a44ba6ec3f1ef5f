//! What a caller is told when a call fails: an HTTP status, a code and its
//! sentence. Nothing else in the server turns into an error response.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use annon_actors::session::frame::code_schema;
use annon_contract::code::Code;
use annon_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::shield::work::Asked;

/// An answer with nothing but a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outcome {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    pub status: u16,
    /// What a program translates; absent if there is nothing to tell a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = code_schema)]
    pub code: Option<Code>,
    /// A sentence to show to the user.
    pub message: &'static str,
}

impl Outcome {
    /// An answer with this status and message.
    pub fn response(status: StatusCode, message: &'static str) -> HttpResponse {
        HttpResponse::build(status).json(Self { status: status.as_u16(), code: None, message })
    }

    /// A 200 with a code, for an outcome that the user has to be told.
    pub fn ok(code: Code) -> HttpResponse {
        HttpResponse::Ok().json(Self { status: 200, code: Some(code), message: code.sentence() })
    }
}

/// Why a call failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Refusal {
    /// Equal to the HTTP status.
    #[schema(example = 404)]
    pub status: u16,
    /// What a program decides by.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// A sentence to show to the user.
    pub message: String,
    /// With `fields_invalid`, where a body is JSON: the field that is missing or of another kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "message")]
    pub field: Option<String>,
    /// With 429: how many seconds to wait before the next try.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 30)]
    pub wait_seconds: Option<u64>,
    /// With 428 and `work_needed`: the work that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shield: Option<Asked>,
}

/// What a handler returns.
pub type Answer = Result<HttpResponse, ApiError>;

/// Maps an error of the store to its code in `names`, or else to its usual one.
pub fn instead<const N: usize>(names: [(StoreError, Code); N]) -> impl Fn(StoreError) -> Code {
    move |error| names.iter().find(|(known, _)| *known == error).map_or(error.into(), |(_, code)| *code)
}

/// Says that a call may be tried again which is done once, however often it is sent.
pub fn done_once(error: impl Into<ApiError>) -> ApiError {
    let error = error.into();
    if error.code == Code::MaybeStored { Code::CannotStore.into() } else { error }
}

/// The code that a call fails with, and how long to wait if waiting helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiError {
    pub code: Code,
    wait: Option<Duration>,
}

impl ApiError {
    /// An error for a call that may be tried again after `wait`.
    pub fn with_wait(code: Code, wait: Duration) -> Self {
        Self { code, wait: Some(wait) }
    }

    /// With 429: how many seconds to wait before the next try.
    pub fn wait_seconds(&self) -> Option<u64> {
        self.wait.map(|wait| wait.as_secs() + 1)
    }
}

impl<C: Into<Code>> From<C> for ApiError {
    fn from(code: C) -> Self {
        Self { code: code.into(), wait: None }
    }
}

impl Display for ApiError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sentence = self.code.sentence();
        match self.wait {
            Some(wait) => f.write_str(&sentence.replace("{wait}", &in_words(wait))),
            None => f.write_str(sentence),
        }
    }
}

fn in_words(wait: Duration) -> String {
    match wait.as_secs().max(1) {
        1 => "a second".to_owned(),
        seconds @ 2..=90 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds.div_ceil(60)),
    }
}

/// The HTTP status of a code, the same in every call.
const fn status(code: Code) -> StatusCode {
    use Code::*;
    match code {
        ResetSent | ConfirmationSent | EmailConfirmedBefore | LeftGroup => StatusCode::OK,
        BodyCutShort
        | JsonNotUtf8
        | JsonInvalid
        | FieldsInvalid
        | EncodingInvalid
        | BeforeIsNoNote
        | BeforeIsNoPlace
        | BeforeIsNoConversation
        | BeforeIsNoAnswer
        | InboxLimitInvalid
        | RoomLimitInvalid
        | KickedMessagesInvalid
        | WaitInvalid
        | NotUpgraded
        | FrameNotJson
        | FrameNotUnderstood
        | LinkUsed
        | FeedbackNotUtf8
        | FormBroken
        | PushInvalid
        | PushServiceUnknown
        | PictureNotBase64 => StatusCode::BAD_REQUEST,
        SignedOut | WrongCredentials => StatusCode::UNAUTHORIZED,
        SocketFromElsewhere | WrongPassword | NotTheCreator | GroupFull | GroupLocked | AsksFirst
        | RemovedFromGroup | NotAMember | SeatFromElsewhere | TooLateToUnsend | SocketOfOtherGroup | NotTheOwner => {
            StatusCode::FORBIDDEN
        }
        NoteFromElsewhere | ReportFromElsewhere | FeedbackFromElsewhere | PageNotAvailable | Suspended => {
            StatusCode::FORBIDDEN
        }
        SignUpClosed | InvitationNeeded | InvitationInvalid => StatusCode::FORBIDDEN,
        NothingHere | NoSuchCall | NoSuchPerson | NoSuchNote | NoSuchBlock | NoSuchPicture | GroupExpired
        | GroupDeleted | NoSuchMember | NoSuchKnock | MessageGone | NoSuchConversation | ConversationEnded
        | NoSuchLine | NoSuchAnswer | ReportLineGone | NoSuchSubscription | NoSeal | NoHandover => {
            StatusCode::NOT_FOUND
        }
        OtherMethod => StatusCode::METHOD_NOT_ALLOWED,
        BodyTooSlow | FormTooSlow | PictureTooSlow | PictureGaveWay => StatusCode::REQUEST_TIMEOUT,
        SomeoneWasFirst | NoRoomForMore | UsernameTaken | EmailTaken | EmailNotConfirmed | InboxFull | NoMoreGroups
        | NoMoreLinks | InboxPaused | SenderNotKnown | NoMoreBlocks => StatusCode::CONFLICT,
        TooManyReactions
        | ReactionsFull
        | NoNeedToKnock
        | TooManyKnocks
        | ConversationTaken
        | NoMoreConversations
        | TooManyAnswered
        | OnlyForYou
        | SealNeeded
        | SealChanged
        | ConversationClosed
        | ConversationFull
        | WaitForAnswer
        | EmailConfirmedElsewhere
        | GroupHoldsNoMorePictures => StatusCode::CONFLICT,
        BodyTooLarge | PictureFileTooLarge | PictureTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        BodyNotJson | NotAForm | PictureOfOtherKind => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        CredentialsInvalid
        | AgeNotStated
        | UsernameTooShort
        | UsernameTooLong
        | UsernameCharacters
        | UsernameNotAvailable
        | EmailInvalid
        | ResetEmailInvalid
        | NewPasswordTooShort
        | PasswordTooLong
        | PasswordTooShort
        | PasswordTooCommon
        | PasswordIsUsername
        | PasswordsDiffer
        | NoteTooShort
        | HeldWordInvalid
        | TooManyHeldWords
        | TagInvalid
        | NoteTooLong
        | FeedbackTooShort
        | FeedbackTooLong
        | ReportTooShort
        | ReportTooLong
        | ReportLinesInvalid
        | ReportTooManyPictures
        | PictureUnreadable
        | PictureOfOtherGroup
        | GroupNameTooShort
        | GroupNameTooLong
        | LifetimeInvalid
        | MessageEmpty
        | SealedInvalid
        | SealInvalid
        | NoteWordsNeeded
        | MessageTooLong
        | CaptionTooLong
        | MessageIdInvalid
        | NoSuchSign
        | ConversationInvalid
        | LineTooLong
        | AnswerEmpty
        | AnswerTooLong
        | PageLineTooLong
        | PromptEmpty
        | PromptTooLong
        | TooManyPrompts
        | ConversationStaysClosed
        | TooManyAsked => StatusCode::UNPROCESSABLE_ENTITY,
        WorkNeeded | TagNeeded => StatusCode::PRECONDITION_REQUIRED,
        TooManyAttempts | TooManyNotes | TooManyPictures | KnockedTooOften | SendingTooFast => {
            StatusCode::TOO_MANY_REQUESTS
        }
        Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Busy | GroupBusy | CannotStore | MaybeStored | PausedForMaintenance => StatusCode::SERVICE_UNAVAILABLE,
        NoSpace | NoMoreAccounts => StatusCode::INSUFFICIENT_STORAGE,
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        status(self.code)
    }

    fn error_response(&self) -> HttpResponse {
        self.response_about(None)
    }
}

impl ApiError {
    /// The answer, which names the field of a body.
    pub fn response_about(&self, field: Option<String>) -> HttpResponse {
        let (status, code, message) = (self.status_code(), self.code, self.to_string());
        let wait_seconds = self.wait_seconds();
        let body = Refusal { status: status.as_u16(), code, message, field, wait_seconds, shield: None };
        let mut response = HttpResponse::build(status).json(body);
        let headers = response.headers_mut();
        let usual = match code {
            Code::Busy | Code::GroupBusy => Some(1),
            Code::CannotStore => Some(5),
            _ => None,
        };
        if let Some(seconds) = wait_seconds.or(usual) {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if code == Code::SignedOut {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_times_read_well() {
        let words = |seconds| ApiError::with_wait(Code::TooManyAttempts, Duration::from_secs(seconds)).to_string();
        assert_eq!(words(0), "Too many attempts. Wait a second and try again.");
        assert_eq!(words(61), "Too many attempts. Wait 61 seconds and try again.");
        assert_eq!(words(601), "Too many attempts. Wait 11 minutes and try again.");
    }
}
