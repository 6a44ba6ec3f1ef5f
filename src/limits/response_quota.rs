//! Counts the bytes of answers that wait for their clients, from when an answer
//! is made until the connection has taken it.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::error::ApiError;
use crate::limits::rate_limit::{QuotaGuard, RateLimits};

/// Smaller answers aren't counted: the kernel takes them whole, and each
/// connection has that much memory in any case.
const COUNTED_FROM: u64 = 16 * 1024;

/// The body of an answer; if large, counted for the client's address.
pub fn counted(limits: &RateLimits, reader: impl FnOnce() -> IpAddr, body: BoxBody) -> Result<BoxBody, ApiError> {
    match body.size() {
        BodySize::Sized(size) if size >= COUNTED_FROM => {
            let guard = limits.answer(reader(), usize::try_from(size).unwrap_or(usize::MAX))?;
            Ok(BoxBody::new(MeteredBody { body, _guard: guard }))
        }
        _ => Ok(body),
    }
}

/// A body, and the guard that counts it until the connection has taken it.
struct MeteredBody {
    body: BoxBody,
    _guard: QuotaGuard,
}

impl MessageBody for MeteredBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
