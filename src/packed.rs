//! Answers that are sent over a phone's network, and long enough to pack.

use std::io::Write as _;

use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ContentType, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::http::site::encoding::prefers_gzip;
use crate::pool::Pool;

/// Shorter ones fit into a packet or two as they are.
const WORTH_IT: usize = 1024;
/// Longer ones take milliseconds, in which a thread that answers calls would
/// answer nobody else.
const ASIDE: usize = 8 * 1024;

/// JSON, compressed if the client accepts it.
///
/// The compressed length reveals something about the content to anyone who sees
/// only the length. So this is for content that its writers may read, too: a
/// group's lines, but not an inbox's notes.
pub async fn json(
    packers: &Pool,
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
    body: &impl Serialize,
) -> HttpResponse {
    let Ok(plain) = serde_json::to_vec(body) else { return response.json(body) };
    response.insert_header(ContentType::json());
    if plain.len() < WORTH_IT {
        return response.body(plain);
    }
    response.insert_header((VARY, ACCEPT_ENCODING.as_str()));
    let plain = Bytes::from(plain);
    let packed = match (prefers_gzip(request), plain.len() >= ASIDE) {
        (false, _) => None,
        (true, false) => gzip(&plain),
        (true, true) => {
            let plain = plain.clone();
            // Where many wait to be packed already, it is sent as it is.
            packers.run(move || gzip(&plain)).await.ok().flatten()
        }
    };
    match packed {
        Some(packed) => response.insert_header((CONTENT_ENCODING, "gzip")).body(packed),
        None => response.body(plain),
    }
}

/// Always something: writing to memory doesn't fail.
fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::fast());
    packer.write_all(plain).ok()?;
    packer.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use actix_web::body::to_bytes;
    use actix_web::http::header::CONTENT_TYPE;
    use actix_web::test::TestRequest;
    use flate2::read::GzDecoder;

    use super::*;

    #[actix_web::test]
    async fn what_finds_no_packer_is_sent_as_it_is() {
        let packers = Pool::start("test", 0, 1).unwrap();
        let request = TestRequest::default().insert_header((ACCEPT_ENCODING, "gzip")).to_http_request();
        let answer = json(&packers, &request, HttpResponse::Ok(), &vec!["words"; 2000]).await;
        assert!(!answer.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(to_bytes(answer.into_body()).await.unwrap().len(), 2000 * 8 + 1);
    }

    #[actix_web::test]
    async fn what_is_long_is_packed_for_who_takes_that() {
        let packers = Pool::start("test", 1, 1).unwrap();
        let long = vec!["words"; 2000];
        for (accepted, length, is_packed) in [
            ("gzip, deflate, br", 1000, true),
            ("gzip", 2000, true),
            ("br", 1000, false),
            ("gzip;q=0", 1000, false),
            ("gzip", 2, false),
        ] {
            let request = TestRequest::default().insert_header((ACCEPT_ENCODING, accepted)).to_http_request();
            let answer = json(&packers, &request, HttpResponse::Ok(), &&long[..length]).await;
            assert_eq!(answer.headers().contains_key(CONTENT_ENCODING), is_packed, "{accepted}, {length}");
            assert_eq!(answer.headers().contains_key(VARY), length > 2);
            assert_eq!(answer.headers().get(CONTENT_TYPE).unwrap(), "application/json");
            let body = to_bytes(answer.into_body()).await.unwrap();
            let mut plain = String::new();
            if is_packed {
                assert!(body.len() < 1000, "{}", body.len());
                GzDecoder::new(&*body).read_to_string(&mut plain).unwrap();
            } else {
                plain = String::from_utf8(body.to_vec()).unwrap();
            }
            assert_eq!(serde_json::from_str::<Vec<&str>>(&plain).unwrap(), long[..length], "{accepted}, {length}");
        }
    }
}
