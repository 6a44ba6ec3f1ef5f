//! What a caller is told when a call fails: an HTTP status and a sentence.
//! Nothing else in the server turns into an error response.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use annon_actors::room::command::Rejection;
use annon_actors::rooms::RoomError;
use annon_store::StoreError;
use annon_store::account::SignUpError;
use annon_store::text::TextError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::picture::PictureError;

/// An answer with nothing but a message.
#[derive(Debug, Serialize, ToSchema)]
pub struct Told {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    pub status: u16,
    /// A sentence to show to the user.
    pub message: String,
}

impl Told {
    /// An answer that says this.
    pub fn response(status: StatusCode, message: &str) -> HttpResponse {
        HttpResponse::build(status).json(Self { status: status.as_u16(), message: message.to_owned() })
    }
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The request itself is not in order.
    #[error("{1}")]
    Bad(StatusCode, &'static str),
    /// A picture can't be taken.
    #[error("{1}")]
    BadPicture(StatusCode, PictureError),
    /// A field holds something that isn't allowed there.
    #[error("{0}")]
    Invalid(#[from] TextError),
    /// No token, or one that is no longer good.
    #[error("Sign in to continue.")]
    SignedOut,
    /// Name or password are wrong; which of the two is not said.
    #[error("Wrong username, email or password.")]
    WrongCredentials,
    /// A room said no.
    #[error("{0}")]
    Refused(Rejection),
    /// Not allowed.
    #[error("{0}")]
    Forbidden(&'static str),
    /// There is no such thing, or not for this caller.
    #[error("{0}")]
    NotFound(&'static str),
    /// Somebody was first.
    #[error("{0}")]
    Conflict(String),
    /// Too often from one address or account.
    #[error("Too many attempts. Wait {} and try again.", in_words(*.0))]
    TooMany(Duration),
    /// Too many bytes of pictures from one address.
    #[error("Many pictures have come from your network. Try again in a while.")]
    TooManyPictures(Duration),
    /// Too many notes from one address to one inbox.
    #[error("You've sent a lot of notes here. Wait {} and try again.", in_words(*.0))]
    EnoughNotes(Duration),
    /// A queue is full.
    #[error("The server is busy. Try again in a moment.")]
    Busy,
    /// There are as many accounts as there may be.
    #[error("{0}")]
    EnoughAccounts(SignUpError),
    /// The disk is nearly full.
    #[error("The server has no space left for this. Try again later.")]
    NoSpace,
    /// Storing no longer works.
    #[error("The server can't store anything right now. Try again later.")]
    Unavailable,
    /// A mistake of ours; the log has the rest.
    #[error("An error occured, Try again later")]
    Internal,
}

fn in_words(wait: Duration) -> String {
    match wait.as_secs().max(1) {
        1 => "a second".to_owned(),
        seconds @ 2..=90 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds.div_ceil(60)),
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NotFound("There is nothing here."),
            StoreError::Conflict => Self::Conflict("Someone got there first. Try again.".to_owned()),
            StoreError::Full => Self::Conflict("There's no room for more of these.".to_owned()),
            StoreError::DiskFull => Self::NoSpace,
            StoreError::Unavailable => Self::Unavailable,
            StoreError::Corrupt => Self::Internal,
        }
    }
}

impl From<RoomError> for ApiError {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Gone | RoomError::Rejected(Rejection::Ended(_)) => Self::NotFound(NO_ROOM),
            RoomError::Rejected(Rejection::NoSuchMember) => Self::NotFound("There is no such member."),
            RoomError::Rejected(Rejection::NoSuchMessage) => Self::NotFound("This message is already gone"),
            RoomError::Rejected(refused) => Self::Refused(refused),
            RoomError::TooManyPictures => Self::Conflict(error.to_string()),
            RoomError::Busy => Self::Busy,
            RoomError::Store(error) => error.into(),
        }
    }
}

/// One answer for a room that never existed, has expired or was deleted.
pub const NO_ROOM: &str = "Sorry, It Looks Like This Group Has Expired";

impl From<SignUpError> for ApiError {
    fn from(error: SignUpError) -> Self {
        match error {
            SignUpError::Store(error) => error.into(),
            SignUpError::Enough => Self::EnoughAccounts(error),
            taken => Self::Conflict(taken.to_string()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Bad(status, _) | Self::BadPicture(status, _) => *status,
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::SignedOut | Self::WrongCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::Refused(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooMany(_) | Self::TooManyPictures(_) | Self::EnoughNotes(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::NoSpace | Self::EnoughAccounts(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = Told::response(self.status_code(), &self.to_string());
        let wait = match self {
            Self::TooMany(wait) | Self::TooManyPictures(wait) | Self::EnoughNotes(wait) => Some(wait.as_secs() + 1),
            Self::Busy => Some(1),
            _ => None,
        };
        if let Some(seconds) = wait {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if matches!(self, Self::SignedOut) {
            let scheme = actix_web::http::header::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_times_read_well() {
        let words = |seconds| ApiError::TooMany(Duration::from_secs(seconds)).to_string();
        assert_eq!(words(0), "Too many attempts. Wait a second and try again.");
        assert_eq!(words(61), "Too many attempts. Wait 61 seconds and try again.");
        assert_eq!(words(601), "Too many attempts. Wait 11 minutes and try again.");
    }
}
