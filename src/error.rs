//! What a caller is told when a call fails: an HTTP status, a code and its
//! sentence. Nothing else in the server turns into an error response.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use annon_actors::session::frame::code_schema;
use annon_contract::code::Code;
use serde::Serialize;
use utoipa::ToSchema;

/// An answer with nothing but a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct Told {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    pub status: u16,
    /// What to translate, if there is something that a person has to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = code_schema)]
    pub code: Option<Code>,
    /// A sentence to show to the user.
    pub message: &'static str,
}

impl Told {
    /// An answer that says this.
    pub fn response(status: StatusCode, message: &'static str) -> HttpResponse {
        HttpResponse::build(status).json(Self { status: status.as_u16(), code: None, message })
    }

    /// A good answer that a person has to know.
    pub fn good(code: Code) -> HttpResponse {
        HttpResponse::Ok().json(Self { status: 200, code: Some(code), message: code.sentence() })
    }
}

/// Why a call failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Refusal {
    /// Equal to the HTTP status.
    #[schema(example = 404)]
    pub status: u16,
    /// What to decide by.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// A sentence to show to the user.
    pub message: String,
    /// With 429: how many seconds to wait before the next try.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 30)]
    pub wait_seconds: Option<u64>,
}

/// A code that a call ends with, and how long to wait where that helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiError {
    /// Why.
    pub code: Code,
    wait: Option<Duration>,
}

impl ApiError {
    /// It may be tried again after a while.
    pub fn wait(code: Code, wait: Duration) -> Self {
        Self { code, wait: Some(wait) }
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

/// The status that goes with a code: a call answers each code with the same.
const fn status(code: Code) -> StatusCode {
    match code {
        Code::ResetSent | Code::ConfirmationSent | Code::EmailConfirmedBefore | Code::LeftGroup => StatusCode::OK,

        Code::BodyCutShort
        | Code::JsonNotUtf8
        | Code::JsonInvalid
        | Code::FieldsInvalid
        | Code::EncodingInvalid
        | Code::BeforeIsNoNote
        | Code::BeforeIsNoPlace
        | Code::InboxLimitInvalid
        | Code::RoomLimitInvalid
        | Code::NotUpgraded
        | Code::FrameNotJson
        | Code::FrameNotUnderstood
        | Code::LinkUsed
        | Code::FeedbackNotUtf8
        | Code::FormBroken
        | Code::PictureNotBase64 => StatusCode::BAD_REQUEST,

        Code::SignedOut | Code::WrongCredentials => StatusCode::UNAUTHORIZED,

        Code::NothingToDo
        | Code::SocketFromElsewhere
        | Code::WrongPassword
        | Code::FeedbackFromElsewhere
        | Code::NotTheCreator
        | Code::GroupFull
        | Code::GroupLocked
        | Code::RemovedFromGroup
        | Code::NotAMember
        | Code::SeatedAlready
        | Code::SeatFromElsewhere
        | Code::SentAlready
        | Code::TooLateToUnsend
        | Code::SocketOfOtherGroup => StatusCode::FORBIDDEN,

        Code::NothingHere
        | Code::NoSuchCall
        | Code::NoSuchPerson
        | Code::NoSuchNote
        | Code::NoSuchPicture
        | Code::GroupExpired
        | Code::GroupDeleted
        | Code::NoSuchMember
        | Code::MessageGone => StatusCode::NOT_FOUND,

        Code::OtherMethod => StatusCode::METHOD_NOT_ALLOWED,

        Code::BodyTooSlow | Code::FormTooSlow | Code::PictureTooSlow | Code::PictureGaveWay => {
            StatusCode::REQUEST_TIMEOUT
        }

        Code::SomeoneWasFirst
        | Code::NoRoomForMore
        | Code::UsernameTaken
        | Code::EmailTaken
        | Code::EmailConfirmedElsewhere
        | Code::InboxFull
        | Code::GroupHoldsNoMorePictures
        | Code::NoMoreGroups => StatusCode::CONFLICT,

        Code::BodyTooLarge | Code::PictureFileTooLarge | Code::PictureTooLarge => StatusCode::PAYLOAD_TOO_LARGE,

        Code::BodyNotJson | Code::NotAForm | Code::PictureOfOtherKind => StatusCode::UNSUPPORTED_MEDIA_TYPE,

        Code::CredentialsInvalid
        | Code::UsernameTooShort
        | Code::UsernameTooLong
        | Code::UsernameCharacters
        | Code::UsernameNotAvailable
        | Code::EmailInvalid
        | Code::ResetEmailInvalid
        | Code::NewPasswordTooShort
        | Code::PasswordTooLong
        | Code::PasswordTooShort
        | Code::PasswordsDiffer
        | Code::NoteTooShort
        | Code::NoteTooLong
        | Code::FeedbackTooShort
        | Code::FeedbackTooLong
        | Code::PictureUnreadable
        | Code::PictureOfOtherGroup
        | Code::GroupNameTooShort
        | Code::GroupNameTooLong
        | Code::LifetimeInvalid
        | Code::MessageEmpty
        | Code::MessageTooLong
        | Code::CaptionTooLong
        | Code::MessageIdInvalid => StatusCode::UNPROCESSABLE_ENTITY,

        Code::TooManyAttempts | Code::TooManyNotes | Code::TooManyPictures | Code::SendingTooFast => {
            StatusCode::TOO_MANY_REQUESTS
        }

        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Busy | Code::GroupBusy | Code::CannotStore => StatusCode::SERVICE_UNAVAILABLE,
        Code::NoSpace | Code::NoMoreAccounts => StatusCode::INSUFFICIENT_STORAGE,
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        status(self.code)
    }

    fn error_response(&self) -> HttpResponse {
        let (status, code, message) = (self.status_code(), self.code, self.to_string());
        let wait_seconds = self.wait.map(|wait| wait.as_secs() + 1);
        let body = Refusal { status: status.as_u16(), code, message, wait_seconds };
        let mut response = HttpResponse::build(status).json(body);
        let headers = response.headers_mut();
        if let Some(seconds) = wait_seconds.or(matches!(code, Code::Busy | Code::GroupBusy).then_some(1)) {
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
        let words = |seconds| ApiError::wait(Code::TooManyAttempts, Duration::from_secs(seconds)).to_string();
        assert_eq!(words(0), "Too many attempts. Wait a second and try again.");
        assert_eq!(words(61), "Too many attempts. Wait 61 seconds and try again.");
        assert_eq!(words(601), "Too many attempts. Wait 11 minutes and try again.");
    }
}
