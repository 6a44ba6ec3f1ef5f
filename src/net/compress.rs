//! Compresses JSON that is long enough, in answers whose handler asks for it.

use std::io::Write as _;

use actix_web::http::header::{ACCEPT_ENCODING, AcceptEncoding, ContentEncoding, ContentType, Encoding, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::pool::Pool;

/// Shorter answers fit into a packet or two uncompressed.
const WORTH_IT: usize = 1024;
/// Longer answers take milliseconds to compress, so another thread does it:
/// this one couldn't answer anybody else meanwhile.
const ASIDE: usize = 8 * 1024;

/// JSON, compressed if the client accepts it.
///
/// The compressed length reveals something about the content to anyone who sees
/// only the length. So only content is compressed that everybody who adds to it
/// may read: a group's lines, but not an inbox's notes.
pub async fn json(
    compressors: &Pool,
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
    let compressed = match (takes_gzip(request), plain.len() >= ASIDE) {
        (false, _) => None,
        (true, false) => gzip(&plain, Compression::fast()),
        (true, true) => {
            let plain = plain.clone();
            // If the queue is full, the answer is sent uncompressed.
            compressors.run(move || gzip(&plain, Compression::fast())).await.ok().flatten()
        }
    };
    match compressed {
        Some(compressed) => response.insert_header(ContentEncoding::Gzip).body(compressed),
        None => response.body(plain),
    }
}

/// The offered encoding that a caller prefers, or identity. A caller who
/// refuses all gets identity, too: a 406 would help nobody.
pub fn preferred(request: &HttpRequest, offered: &[ContentEncoding]) -> ContentEncoding {
    let offered: Vec<_> = offered.iter().copied().chain([ContentEncoding::Identity]).map(Encoding::Known).collect();
    match request.get_header::<AcceptEncoding>().and_then(|accepted| accepted.negotiate(offered.iter())) {
        Some(Encoding::Known(chosen)) => chosen,
        _ => ContentEncoding::Identity,
    }
}

/// Whether a caller prefers gzip to no compression.
pub fn takes_gzip(request: &HttpRequest) -> bool {
    preferred(request, &[ContentEncoding::Gzip]) == ContentEncoding::Gzip
}

/// Never `None`: writing to memory doesn't fail.
pub fn gzip(plain: &[u8], effort: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), effort);
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use actix_web::body::to_bytes;
    use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
    use actix_web::test::TestRequest;
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn the_encoding_that_weighs_most_is_taken_and_brotli_before_gzip() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip, deflate", "gzip"),
            ("br;q=0.5, gzip;q=0.9", "gzip"),
            ("br;q=0, gzip", "gzip"),
            ("br ; q=0.000 , gzip ; q=0", "identity"),
            ("identity;q=1, br;q=0.5", "identity"),
            ("deflate, zstd", "identity"),
            ("*;q=0", "identity"),
            ("", "identity"),
            ("br;q=9", "identity"),
            (";;;", "identity"),
        ] {
            let request = TestRequest::default().insert_header((ACCEPT_ENCODING, accepted)).to_http_request();
            let chosen = preferred(&request, &[ContentEncoding::Gzip, ContentEncoding::Brotli]);
            assert_eq!(chosen.as_str(), expected, "{accepted}");
        }
        assert!(!takes_gzip(&TestRequest::default().to_http_request()));
    }

    #[actix_web::test]
    async fn an_answer_without_a_free_compressor_is_sent_as_it_is() {
        let compressors = Pool::start("test", 0, 1).unwrap();
        let request = TestRequest::default().insert_header((ACCEPT_ENCODING, "gzip")).to_http_request();
        let answer = json(&compressors, &request, HttpResponse::Ok(), &vec!["words"; 2000]).await;
        assert!(!answer.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(to_bytes(answer.into_body()).await.unwrap().len(), 2000 * 8 + 1);
    }

    #[actix_web::test]
    async fn a_long_answer_is_compressed_for_who_accepts_that() {
        let compressors = Pool::start("test", 1, 1).unwrap();
        let long = vec!["words"; 2000];
        for (accepted, length, is_compressed) in [
            ("gzip, deflate, br", 1000, true),
            ("gzip", 2000, true),
            ("br", 1000, false),
            ("gzip;q=0", 1000, false),
            ("gzip", 2, false),
        ] {
            let request = TestRequest::default().insert_header((ACCEPT_ENCODING, accepted)).to_http_request();
            let answer = json(&compressors, &request, HttpResponse::Ok(), &&long[..length]).await;
            assert_eq!(answer.headers().contains_key(CONTENT_ENCODING), is_compressed, "{accepted}, {length}");
            assert_eq!(answer.headers().contains_key(VARY), length > 2);
            assert_eq!(answer.headers().get(CONTENT_TYPE).unwrap(), "application/json");
            let body = to_bytes(answer.into_body()).await.unwrap();
            let mut plain = String::new();
            if is_compressed {
                assert!(body.len() < 1000, "{}", body.len());
                GzDecoder::new(&*body).read_to_string(&mut plain).unwrap();
            } else {
                plain = String::from_utf8(body.to_vec()).unwrap();
            }
            assert_eq!(serde_json::from_str::<Vec<&str>>(&plain).unwrap(), long[..length], "{accepted}, {length}");
        }
    }
}
