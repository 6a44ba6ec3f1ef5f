//! Which form of an answer a caller wants.

use std::fmt::Debug;

use actix_web::HttpRequest;
use actix_web::http::header::ACCEPT_ENCODING;

use super::assets::{File, Form};

/// A form of a file, and what `Content-Encoding` says of it.
pub(super) struct Chosen {
    pub(super) form: &'static Form,
    pub(super) encoding: Option<&'static str>,
}

/// The form with the highest weight in `Accept-Encoding`; the smaller one when
/// two weigh the same. Who refuses everything gets the plain one: a 406 would
/// help nobody.
pub(super) fn choose(file: &'static File, accepted: &str) -> Chosen {
    let forms = [("gzip", &file.gzip), ("br", &file.brotli)];
    let offered = forms.into_iter().filter_map(|(encoding, form)| Some((encoding, form.as_ref()?)));
    let packed = preferred(accepted, offered).map(|(encoding, form)| Chosen { form, encoding: Some(encoding) });
    packed.unwrap_or(Chosen { form: &file.plain, encoding: None })
}

/// What is offered under the name with the highest weight; the last of those
/// that weigh the same. None where it is best left as it is.
fn preferred<T>(accepted: &str, offered: impl IntoIterator<Item = (&'static str, T)>) -> Option<(&'static str, T)> {
    // Not named, plain is acceptable and the last choice.
    let mut best_weight = named(accepted, "identity").unwrap_or(0);
    let mut best = None;
    for (encoding, form) in offered {
        let weight = named(accepted, encoding).or_else(|| named(accepted, "*")).unwrap_or(0);
        if weight > 0 && weight >= best_weight {
            best = Some((encoding, form));
            best_weight = weight;
        }
    }
    best
}

/// What a request says of the encodings it takes.
pub(super) fn accepted(request: &HttpRequest) -> String {
    let lines = request.headers().get_all(ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    lines.collect::<Vec<_>>().join(",")
}

/// Whether a caller would rather have gzip than nothing.
pub(crate) fn prefers_gzip(request: &HttpRequest) -> bool {
    preferred(&accepted(request), [("gzip", ())]).is_some()
}

/// The weight a name is given, in thousandths.
fn named(accepted: &str, name: &str) -> Option<u16> {
    accepted.split(',').find_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let coding = parts.next()?;
        // An old name of the same thing.
        let coding = if coding.eq_ignore_ascii_case("x-gzip") { "gzip" } else { coding };
        coding.eq_ignore_ascii_case(name).then(|| parts.find_map(weight).unwrap_or(1000))
    })
}

/// `q=0.5` is 500. What isn't a weight is nothing: the item counts as unwanted.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value: f32 = value.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value)).unwrap_or(0.0);
    // Between 0 and 1000, by the line above.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some((value * 1000.0) as u16)
}

impl Debug for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.encoding.unwrap_or("identity"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn form(etag: &'static str) -> Form {
        Form { bytes: b"", etag }
    }

    static BOTH: File = File {
        path: "/both.js",
        content_type: "text/javascript",
        hashed: false,
        plain: form("\"plain\""),
        brotli: Some(form("\"br\"")),
        gzip: Some(form("\"gz\"")),
    };
    static GZIP_ONLY: File = File {
        path: "/gzip.js",
        content_type: "text/javascript",
        hashed: false,
        plain: form("\"plain\""),
        brotli: None,
        gzip: Some(form("\"gz\"")),
    };

    fn chosen(file: &'static File, accepted: &str) -> String {
        format!("{:?}", choose(file, accepted))
    }

    #[test]
    fn brotli_comes_before_gzip_before_nothing() {
        assert_eq!(chosen(&BOTH, "gzip, deflate, br, zstd"), "br");
        assert_eq!(chosen(&BOTH, "gzip, deflate"), "gzip");
        assert_eq!(chosen(&BOTH, "X-GZIP"), "gzip");
        assert_eq!(chosen(&BOTH, "deflate, zstd"), "identity");
        assert_eq!(chosen(&BOTH, ""), "identity");
        assert_eq!(chosen(&BOTH, "*"), "br");
        assert_eq!(chosen(&GZIP_ONLY, "gzip, br"), "gzip");
        assert_eq!(chosen(&GZIP_ONLY, "br"), "identity");
    }

    #[test]
    fn weights_are_honoured() {
        assert_eq!(chosen(&BOTH, "br;q=0.5, gzip;q=0.9"), "gzip");
        assert_eq!(chosen(&BOTH, "br;q=0, gzip"), "gzip");
        assert_eq!(chosen(&BOTH, "br ; Q=0.000 , gzip ; q=0"), "identity");
        assert_eq!(chosen(&BOTH, "identity;q=1, br;q=0.5"), "identity");
        assert_eq!(chosen(&BOTH, "identity, br, gzip"), "br");
        assert_eq!(chosen(&BOTH, "*;q=0"), "identity");
        assert_eq!(chosen(&BOTH, "br;q=0, *"), "gzip");
        assert_eq!(chosen(&BOTH, "br;q=0.001"), "br");
        assert_eq!(chosen(&BOTH, "identity;q=0, *;q=0"), "identity");
    }

    #[test]
    fn nonsense_is_no_wish() {
        for nonsense in [";;;", "br;q=", "br;q=9", "br;q=-1", "br;q=NaN", "q=1", ",,,", "br gzip", "\u{e9};q=1"] {
            assert_eq!(chosen(&BOTH, nonsense), "identity", "{nonsense}");
        }
    }
}
