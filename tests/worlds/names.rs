//! Names for what is random, so that the texts of two worlds can be compared.

use std::collections::HashMap;

use crate::support::patience::since_1970;

/// Shorter words are words.
const SHORTEST_ID: usize = 20;
/// Seconds that a world may take.
const NOW: i64 = 180;

/// Gives each thing one name, in the order in which things appear.
#[derive(Default)]
pub(crate) struct Names {
    known: Vec<(String, String)>,
    /// The beginnings of fields whose numbers are named, too.
    numbers: Vec<String>,
    ids: HashMap<String, usize>,
}

impl Names {
    /// Names what has no form of its own: a username, an emoji.
    pub(crate) fn know(&mut self, what: &str, name: &str) {
        self.known.push((what.to_owned(), format!("<{name}>")));
    }

    /// Names the numbers in fields of JSON: the same number has one name.
    pub(crate) fn know_numbers(&mut self, fields: &[&str]) {
        self.numbers.extend(fields.iter().map(|field| format!("\"{field}\":")));
    }

    /// A text in which ids and times are names, and nothing else has changed.
    pub(crate) fn named(&mut self, text: &str) -> String {
        let known = self.known.iter().fold(text.to_owned(), |text, (what, name)| text.replace(what, name));
        let (mut named, mut rest) = (String::new(), &known[..]);
        while let Some(first) = rest.chars().next() {
            if let Some((name, length)) = time_at(rest) {
                named.push_str(&name);
                rest = &rest[length..];
                continue;
            }
            if let Some(field) = self.numbers.iter().find(|field| rest.starts_with(&**field)) {
                let (field, after) = rest.split_at(field.len());
                let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                let (number, after) = after.split_at(digits);
                let next = self.ids.len() + 1;
                let name = self.ids.entry(format!("{field}{number}")).or_insert(next);
                named.push_str(&format!("{field}<number {name}>"));
                rest = after;
                continue;
            }
            let word = rest.find(|c: char| !is_of_id(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, after) = rest.split_at(word);
            named.push_str(&self.word(word));
            rest = after;
        }
        named
    }

    fn word(&mut self, word: &str) -> String {
        if word.len() == 10
            && let Ok(seconds) = word.parse()
        {
            return when(seconds);
        }
        let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if word.len() < SHORTEST_ID || is_plain {
            return word.to_owned();
        }
        let next = self.ids.len() + 1;
        format!("<id {}>", self.ids.entry(word.to_owned()).or_insert(next))
    }
}

fn is_of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// Whether a text begins with digits and these characters between them.
fn fits(text: &str, pattern: &str) -> bool {
    let mut text = text.bytes();
    pattern.bytes().all(|wanted| match (wanted, text.next()) {
        (b'0', Some(byte)) => byte.is_ascii_digit(),
        (wanted, byte) => Some(wanted) == byte,
    })
}

/// The name and the length of the time with which a text begins.
fn time_at(text: &str) -> Option<(String, usize)> {
    const DATE: &str = "0000-00-00 00:00:00";
    const CLOCK: &str = "00:00:00.000";
    if fits(text, CLOCK) {
        return Some(("<clock>".to_owned(), CLOCK.len()));
    }
    fits(text, DATE).then(|| {
        let part = |at: usize, length: usize| text[at..at + length].parse::<i64>().unwrap();
        let days = days_since_1970(part(0, 4), part(5, 2), part(8, 2));
        (when(days * 86_400 + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2)), DATE.len())
    })
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // March is the first month here, so that a leap day is a year's last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The name of a time. Worlds take some time, too, so it isn't exact.
fn when(seconds: i64) -> String {
    let from_now = seconds - since_1970().as_secs() as i64;
    match from_now {
        from_now if from_now.abs() < NOW => "<now>".to_owned(),
        from_now if (0..20 * 60).contains(&from_now) => "<soon>".to_owned(),
        from_now => format!("<in {} minutes>", (from_now + 300).div_euclid(600) * 10),
    }
}

#[test]
fn the_same_has_one_name_and_others_have_others() {
    let mut names = Names::default();
    names.know("worlds-00000001", "owner");
    let [one, other] = ["5f0c1e9a-b7d2-4c1f-8e3a-6b9d0c7f2a41", "bWFya2VkLXRhZy1vZi0xIQ"];
    assert_eq!(
        names.named(&format!("to worlds-00000001: {one}, {other}, {one}!")),
        "to <owner>: <id 1>, <id 2>, <id 1>!"
    );
    assert_eq!(names.named(&format!("\"{other}\" é🙂 a-word")), "\"<id 2>\" é🙂 a-word");
    names.know_numbers(&["seq"]);
    let numbers = r#"{"seq":17,"last":18},{"seq":19},{"seq":17}"#;
    let expected = r#"{"seq":<number 3>,"last":18},{"seq":<number 4>},{"seq":<number 3>}"#;
    assert_eq!(names.named(numbers), expected);
}

#[test]
fn times_are_named_by_how_far_they_are() {
    assert_eq!(days_since_1970(1970, 1, 1), 0);
    assert_eq!(days_since_1970(2024, 2, 29), 19_782);
    let now = since_1970().as_secs();
    let mut names = Names::default();
    let named = names.named(&format!("{now} {} {} at 18:05:09.042", now + 600, now + 30 * 86_400));
    assert_eq!(named, "<now> <soon> <in 43200 minutes> at <clock>");
    assert!(names.named("2026-07-04 12:30:00").starts_with("<in "), "and as a date");
    assert_eq!(names.named("2026-07-04"), "2026-07-04", "a day is a word");
    assert_eq!(names.named("content-security-policy"), "content-security-policy");
}
