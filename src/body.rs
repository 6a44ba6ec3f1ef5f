//! JSON bodies, with limits on size and time, and a code for each refusal.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use actix_web::error::PayloadError;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::rt::time::timeout;
use actix_web::web::BytesMut;
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError, dev, web};
use annon_contract::code::Code;
use annon_contract::limits::{BODY_TIMEOUT, JSON_MAX_BYTES};
use futures_util::StreamExt;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer};
use utoipa::IntoResponses;
use zeroize::Zeroize;

use crate::error::{ApiError, Refusal};

/// A JSON body of at most so many bytes. Unknown fields are ignored.
pub struct Json<T, const MAX: usize = JSON_MAX_BYTES>(pub T);

/// Why a body could not be read.
#[derive(Debug)]
pub struct Unread {
    error: ApiError,
    /// The field that is missing or wrong, if it is one.
    field: Option<String>,
}

impl<E: Into<ApiError>> From<E> for Unread {
    fn from(error: E) -> Self {
        Self { error: error.into(), field: None }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl ResponseError for Unread {
    fn status_code(&self) -> StatusCode {
        self.error.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        self.error.response_about(self.field.clone())
    }
}

/// How a call that takes JSON refuses a body.
#[derive(IntoResponses)]
pub enum JsonRefusal {
    /// The body isn't JSON, or a field is missing or has the wrong type
    #[response(status = 400)]
    Broken(Refusal),
    /// The body took too long to arrive
    #[response(status = 408)]
    TooSlow(Refusal),
    /// The body is too large
    #[response(status = 413)]
    TooLarge(Refusal),
    /// The `Content-Type` isn't JSON
    #[response(status = 415)]
    OtherType(Refusal),
}

impl<T: DeserializeOwned, const MAX: usize> FromRequest for Json<T, MAX> {
    type Error = Unread;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Unread>>>>;

    fn from_request(request: &HttpRequest, payload: &mut dev::Payload) -> Self::Future {
        let request = request.clone();
        let payload = web::Payload::from_request(&request, payload).into_inner();
        Box::pin(async move {
            let mut bytes = read(&request, payload.map_err(|_| Code::BodyCutShort)?, MAX).await?;
            let parsed = json_named(&request, &bytes).map(Self);
            // The body may hold a password or somebody's message.
            bytes.as_mut().zeroize();
            parsed
        })
    }
}

fn is_json(request: &HttpRequest) -> bool {
    let Some(kind) = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else { return false };
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// Reads the name of a choice. Without this, anything but text would be broken JSON to serde.
pub fn choice<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(String::deserialize(from)?.into_deserializer())
}

/// Reads the name of a choice, or null.
pub fn choice_or_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::<String>::deserialize(from)?.map(|name| T::deserialize(name.into_deserializer())).transpose()
}

/// Reads a value that may be left out, and is no null.
pub fn not_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A whole number. JSON may write it with a fraction of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "serde_json::Number")]
pub struct Whole(pub u64);

impl TryFrom<serde_json::Number> for Whole {
    type Error = &'static str;

    fn try_from(number: serde_json::Number) -> Result<Self, Self::Error> {
        let written = || number.as_f64().filter(|number| number.fract() == 0.0)?.to_string().parse().ok();
        number.as_u64().or_else(written).map(Self).ok_or("it isn't a whole number")
    }
}

pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    let text = std::str::from_utf8(bytes).map_err(|_| Code::JsonNotUtf8)?;
    // serde would also accept a list of the fields, in the order in which the
    // type declares them.
    if text.trim_start().starts_with('[') {
        return Err(Code::FieldsInvalid.into());
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| match error.inner().classify() {
        serde_json::error::Category::Data => Unread { field: field_in(&error), ..Unread::from(Code::FieldsInvalid) },
        _ => Code::JsonInvalid.into(),
    })?;
    json.end().map_err(|_| Code::JsonInvalid)?;
    Ok(parsed)
}

/// The field that an error is about. Of one that is missing only the sentence has the name.
fn field_in(error: &serde_path_to_error::Error<serde_json::Error>) -> Option<String> {
    let said = error.inner().to_string();
    let missing = said.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    let path = Some(error.path().to_string()).filter(|path| path != ".");
    match (path, missing) {
        (Some(path), Some(missing)) => Some(format!("{path}.{missing}")),
        (path, missing) => path.or(missing.map(str::to_owned)),
    }
}

/// The fields of a form that a browser sends without scripts.
pub async fn form(request: &HttpRequest, payload: web::Payload) -> Result<Vec<(String, String)>, Code> {
    let mut bytes = read(request, payload, JSON_MAX_BYTES).await?;
    let fields = if is_utf8_form(request) { fields(&bytes) } else { None };
    // It may hold somebody's message.
    bytes.as_mut().zeroize();
    fields.ok_or(Code::FormBroken)
}

fn is_utf8_form(request: &HttpRequest) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_ascii_lowercase().replace([' ', '"'], "");
    matches!(kind.as_str(), "application/x-www-form-urlencoded" | "application/x-www-form-urlencoded;charset=utf-8")
}

/// The names and values of a form; `None` if they aren't UTF-8.
pub(crate) fn fields(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let pairs = bytes.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let mut halves = pair.splitn(2, |byte| *byte == b'=');
            Some((decoded(halves.next()?)?, decoded(halves.next().unwrap_or_default())?))
        })
        .collect()
}

/// A text as it was before its form was sent: `+` stands for a blank, and `%`
/// with two digits for a byte.
fn decoded(sent: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(sent.len());
    let mut rest = sent;
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = escaped.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if escaped.is_some() { &after[2..] } else { after };
        bytes.push(escaped.unwrap_or(if *first == b'+' { b' ' } else { *first }));
    }
    String::from_utf8(bytes).ok()
}

/// Reads a whole body of at most so many bytes, within `BODY_TIMEOUT`.
async fn read(request: &HttpRequest, mut payload: web::Payload, max: usize) -> Result<BytesMut, Code> {
    let announced = announced(request);
    if announced.is_some_and(|length| length > max) {
        return Err(Code::BodyTooLarge);
    }
    let whole = async {
        let mut bytes = BytesMut::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(refused)?;
            if bytes.len() + chunk.len() > max {
                return Err(Code::BodyTooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    timeout(BODY_TIMEOUT, whole).await.map_err(|_| Code::BodyTooSlow)?
}

/// The length that the request's `Content-Length` tells.
pub fn announced(request: &HttpRequest) -> Option<usize> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Parses a body, which was read to its end before, so that the connection can
/// be used again. A form on another site can't send this content type without a
/// CORS preflight.
pub fn json<T: DeserializeOwned>(request: &HttpRequest, bytes: &[u8]) -> Result<T, Code> {
    json_named(request, bytes).map_err(|unread| unread.error.code)
}

fn json_named<T: DeserializeOwned>(request: &HttpRequest, bytes: &[u8]) -> Result<T, Unread> {
    if is_json(request) { parse(bytes) } else { Err(Code::BodyNotJson.into()) }
}

/// The code for a body that could not be read.
pub fn refused(error: PayloadError) -> Code {
    match error {
        PayloadError::Overflow => Code::BodyTooLarge,
        PayloadError::EncodingCorrupted => Code::EncodingInvalid,
        _ => Code::BodyCutShort,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Named {
        name: String,
    }

    #[test]
    fn what_is_refused_names_its_field() {
        #[derive(Debug, Deserialize)]
        struct List {
            #[expect(dead_code, reason = "it is read from JSON")]
            all: Vec<Named>,
        }
        for (text, field) in [
            (r#"{"all": [{"name": "a"}, {"name": 5}]}"#, Some("all[1].name")),
            (r#"{"all": [{"nome": "a"}]}"#, Some("all[0].name")),
            (r#"{"all": "none"}"#, Some("all")),
            ("{}", Some("all")),
            ("5", None),
            ("[]", None),
        ] {
            let unread = parse::<List>(text.as_bytes()).unwrap_err();
            assert_eq!((unread.error.code, unread.field.as_deref()), (Code::FieldsInvalid, field), "{text}");
        }
        for text in ["", "{", r#"{"all": []} x"#] {
            let unread = parse::<List>(text.as_bytes()).unwrap_err();
            assert_eq!((unread.error.code, unread.field), (Code::JsonInvalid, None), "{text}");
        }
    }

    #[test]
    fn a_form_is_read_as_a_browser_writes_it() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            fields("message=two+words%0D%0A%C3%A9+%26+%2B+100%25&&x&=y&message=é".as_bytes()),
            Some(vec![pair("message", "two words\r\né & + 100%"), pair("x", ""), pair("", "y"), pair("message", "é")])
        );
        assert_eq!(fields(b""), Some(Vec::new()));
        assert_eq!(fields(b"a=%&b=%4&c=%zz"), Some(vec![pair("a", "%"), pair("b", "%4"), pair("c", "%zz")]));
        for bad in [&b"a=%FF"[..], b"a=%C3", b"\xE9=a", b"a=\xE9t\xE9"] {
            assert_eq!(fields(bad), None);
        }
    }

    #[test]
    fn a_whole_number_may_have_a_fraction_of_zero() {
        let whole = |text: &str| parse::<Whole>(text.as_bytes()).ok().map(|Whole(number)| number);
        let most = u64::MAX.to_string();
        for (text, number) in [("0", 0), ("21", 21), ("21.0", 21), ("2.1e1", 21), ("1e3", 1000), (&*most, u64::MAX)] {
            assert_eq!(whole(text), Some(number), "{text}");
        }
        for other in ["-1", "-1.0", "0.5", "1e30", "\"1\"", "null", "true", "18446744073709551616"] {
            assert_eq!(whole(other), None, "{other}");
        }
    }

    fn parsed(bytes: &[u8]) -> String {
        parse::<Named>(bytes).map_or_else(|error| error.to_string(), |named| named.name)
    }

    #[test]
    fn bad_json_is_refused_in_words() {
        assert_eq!(parsed(br#"{"name":"x","other":[1]}"#), "x");
        for bad in [&b""[..], b"{", b"nonsense", b"{\"name\":}"] {
            assert_eq!(parsed(bad), "That is not valid JSON.");
        }
        for wrong in
            [&b"{}"[..], b"[]", b"[\"x\"]", b"null", b"{\"name\":7}", b"{\"name\":null}", b"{\"name\":[\"x\"]}"]
        {
            assert_eq!(parsed(wrong), "A field is missing, or holds something of the wrong type.");
        }
        assert_eq!(parsed(b"{\"name\":\"\xff\"}"), "The JSON is not UTF-8.");
        let deep = format!("{}{}", "[".repeat(8_000), "]".repeat(8_000));
        assert_eq!(
            parsed(format!(r#"{{"name":{deep}}}"#).as_bytes()),
            "A field is missing, or holds something of the wrong type."
        );
        // An unknown field is ignored, however deep its value is nested.
        assert_eq!(parsed(format!(r#"{{"x":{deep},"name":"y"}}"#).as_bytes()), "y");
    }
}
