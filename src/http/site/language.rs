//! The language of a page: what its reader has chosen, or else what the browser
//! asks for.

use std::cmp::Reverse;

use actix_web::http::header::{AcceptLanguage, Preference};
use actix_web::{HttpMessage as _, HttpRequest};

use super::assets::{LANGUAGES, Language};
use crate::error::ApiError;

/// The cookie with the choice. The web app writes it, too.
const COOKIE: &str = "language";
/// The language of a reader of none.
const USUAL: &str = "en";
/// What a time to wait has in place of its number.
const COUNT: &str = "{count}";
/// A browser lists a few languages. More of the header is not looked at.
const LISTED_MAX: usize = 32;
const KEPT_SECONDS: u32 = 365 * 24 * 60 * 60;

impl Language {
    /// What a refusal says, in this language.
    pub(super) fn sentence(&self, error: &ApiError) -> String {
        let named = self.sentences.iter().find(|(code, _)| *code == error.code.name());
        let sentence = named.map_or(error.code.sentence(), |(_, sentence)| sentence);
        let [second, seconds, minutes] = self.waits;
        let wait = match error.wait_seconds().unwrap_or(1) {
            1 => second.to_owned(),
            count @ 2..=90 => seconds.replace(COUNT, &count.to_string()),
            count => minutes.replace(COUNT, &count.div_ceil(60).to_string()),
        };
        sentence.replace("{wait}", &wait)
    }
}

/// The language for the answer to a request.
pub(super) fn of(request: &HttpRequest) -> &'static Language {
    let chosen = request.cookie(COOKIE).and_then(|cookie| find(cookie.value()));
    chosen.or_else(|| asked_for(request)).or_else(|| find(USUAL)).unwrap_or(&LANGUAGES[0])
}

/// The first language of the browser's list that there is.
fn asked_for(request: &HttpRequest) -> Option<&'static Language> {
    let AcceptLanguage(listed) = request.get_header()?;
    let mut listed: Vec<_> = listed.into_iter().take(LISTED_MAX).collect();
    // Stable: of two that weigh the same, the first comes first.
    listed.sort_by_key(|one| Reverse(one.quality));
    listed.iter().find_map(|one| match &one.item {
        Preference::Specific(tag) => find(tag.primary_language()),
        Preference::Any => None,
    })
}

/// The language that a query asks to keep, as the switch does without scripts.
pub(super) fn chosen_in(query: &str) -> Option<&'static Language> {
    url::form_urlencoded::parse(query.as_bytes()).find_map(|(name, tag)| if name == COOKIE { find(&tag) } else { None })
}

/// The `Set-Cookie` that keeps a choice.
pub(super) fn kept(language: &Language, is_https: bool) -> String {
    let secure = if is_https { "; Secure" } else { "" };
    format!("{COOKIE}={}; Path=/; Max-Age={KEPT_SECONDS}; SameSite=Lax{secure}", language.tag)
}

/// A language by its tag, which may name a country, too: `de-AT`.
fn find(tag: &str) -> Option<&'static Language> {
    let tag = tag.split('-').next().unwrap_or_default();
    LANGUAGES.iter().find(|language| language.tag.eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ACCEPT_LANGUAGE, COOKIE as COOKIES};
    use actix_web::test::TestRequest;
    use annon_contract::code::Code;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_choice_comes_before_the_browsers_list() {
        let long = "xx-YY;q=0.1,".repeat(700);
        for (asked, cookie, expected) in [
            ("", "", "en"),
            ("de", "", "de"),
            ("de-AT,en;q=0.5", "", "de"),
            ("en;q=0.5,de;q=0.9", "", "de"),
            ("fr, DE;q=0.1", "", "de"),
            ("*", "", "en"),
            ("de;q=9,;;,=", "", "en"),
            (&long, "", "en"),
            ("en", "language=de", "de"),
            ("de", "a=b; language=en; c=d", "en"),
            ("de", "language=fr", "de"),
            ("de", "language=<script>; language", "de"),
        ] {
            let mut request = TestRequest::default();
            if !asked.is_empty() {
                request = request.insert_header((ACCEPT_LANGUAGE, asked));
            }
            if !cookie.is_empty() {
                request = request.insert_header((COOKIES, cookie));
            }
            assert_eq!(of(&request.to_http_request()).tag, expected, "{asked:.40} {cookie}");
        }
    }

    #[test]
    fn a_refusal_is_a_sentence_of_the_language() {
        let said = |tag: &str, error: ApiError| find(tag).map(|language| language.sentence(&error)).unwrap_or_default();
        let late = |seconds| ApiError::with_wait(Code::TooManyAttempts, Duration::from_secs(seconds));
        assert_eq!(said("en", Code::NoSuchPerson.into()), "No one here goes by that name.");
        assert_eq!(said("en", late(0)), "Too many attempts. Wait 1 second and try again.");
        assert_eq!(said("de", late(60)), "Zu viele Versuche. Warte 61 Sekunden und versuche es dann erneut.");
        assert_eq!(said("de", late(600)), "Zu viele Versuche. Warte 11 Minuten und versuche es dann erneut.");
        for language in LANGUAGES {
            for code in Code::ALL {
                assert!(!language.sentence(&(*code).into()).contains('{'), "{} {code:?}", language.tag);
                assert!(language.sentences.iter().any(|(name, _)| *name == code.name()), "{} {code:?}", language.tag);
            }
        }
    }

    #[test]
    fn a_query_can_choose() {
        let tag = |query| chosen_in(query).map(|language| language.tag);
        assert_eq!(tag("why=left&language=de"), Some("de"));
        for query in ["", "language", "language=", "language=fr", "lang=de", "%FF=%FF"] {
            assert_eq!(tag(query), None, "{query}");
        }
    }
}
