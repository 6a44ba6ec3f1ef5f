//! The number by which the sender of a report can ask how it stands, without an account. It is random, and only its keyed
//! hash is stored: so whoever has no number finds nothing, and nobody can tell by a time how near they were.

use actix_web::HttpResponse;
use actix_web::web::Data;
use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_store::report::{ReceiptHash, ReportState};
use aws_lc_rs::hmac;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Refusal};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// Bytes of a number, and how many of its digits stand together.
const BYTES: usize = 16;
const TOGETHER: usize = 4;

/// Makes numbers, and hashes them.
pub struct Receipts(hmac::Key);

impl Receipts {
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// A new number, as its owner reads it, and its hash.
    pub(super) fn make(&self) -> Result<(String, ReceiptHash), Code> {
        let random = random_bytes().ok_or(Code::Internal)?;
        let digits: String = random[..BYTES].iter().map(|byte| format!("{byte:02x}")).collect();
        let groups: Vec<_> = digits.as_bytes().chunks(TOGETHER).map(|group| String::from_utf8_lossy(group)).collect();
        Ok((groups.join("-"), self.hash(&digits)))
    }

    /// The hash of a number as somebody has typed it.
    fn of(&self, typed: &str) -> ReceiptHash {
        let digits = typed.chars().filter(char::is_ascii_alphanumeric).take(2 * BYTES + 1).collect::<String>();
        self.hash(&digits.to_ascii_lowercase())
    }

    fn hash(&self, digits: &str) -> ReceiptHash {
        let mut hash = [0; 32];
        hash.copy_from_slice(hmac::sign(&self.0, digits.as_bytes()).as_ref());
        ReceiptHash(hash)
    }
}

/// The number of a report.
#[derive(Deserialize, ToSchema)]
pub struct ShowReceipt {
    /// As the answer to the report had it.
    #[schema(example = "0123-4567-89ab-cdef-0123-4567-89ab-cdef")]
    receipt: String,
}

/// How a report stands.
#[derive(Serialize, ToSchema)]
pub struct Standing {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// Whether the people who run the site have looked at it or closed it.
    state: StateName,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StateName {
    Waits,
    LookedAt,
    Closed,
}

impl From<ReportState> for StateName {
    fn from(state: ReportState) -> Self {
        match state {
            ReportState::Waits => Self::Waits,
            ReportState::LookedAt => Self::LookedAt,
            ReportState::Closed => Self::Closed,
        }
    }
}

/// Tells how a report stands. 404 for a number that no report has, and for one whose report is gone.
#[utoipa::path(post, path = "/api/report/receipt", tag = "feedback", request_body = ShowReceipt, responses(
    (status = 200, body = Standing), (status = 404, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), JsonRefusal))]
pub async fn show(app: Data<App>, client: ClientIp, Json(ShowReceipt { receipt }): Json<ShowReceipt>) -> Answer {
    let state = state(&app, client, &receipt).await?;
    Ok(HttpResponse::Ok().json(Standing { status: 200, state }))
}

/// How the report with a number stands.
pub(super) async fn state(app: &App, client: ClientIp, receipt: &str) -> Result<StateName, ApiError> {
    app.limits.take(Call::Receipt, client.0)?;
    let state = app.reports.state(app.receipts.of(receipt)).await?.ok_or(Code::NothingHere)?;
    Ok(state.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_random_and_read_as_people_type_it() {
        let receipts = Receipts::new(&[7; 32]);
        let ((one, hash), (other, _)) = (receipts.make().unwrap(), receipts.make().unwrap());
        assert!(one != other && one.len() == 39 && one.split('-').all(|group| group.len() == 4), "{one}");
        for typed in [one.clone(), one.to_uppercase(), one.replace('-', " "), format!(" {one}\n")] {
            assert_eq!(receipts.of(&typed), hash, "{typed}");
        }
        assert_ne!(receipts.of(&format!("{one}0")), hash);
        assert_ne!(Receipts::new(&[8; 32]).of(&one), hash, "it is keyed");
    }
}
