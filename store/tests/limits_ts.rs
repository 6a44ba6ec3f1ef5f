//! The web app's copy of the numbers, of the names nobody can have and of the
//! marks of direction. The numbers are made from the source of `limits.rs`, so
//! that no constant is listed twice.

use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;

use annon_store::text::DIRECTION_MARKS;
use annon_store::{RESERVED, limits};

const SOURCE: &str = include_str!("../src/limits.rs");
const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/src/shared/wire/limits.ts");

#[test]
fn the_web_app_has_the_same_numbers() {
    let expected = typescript().unwrap();
    if std::env::var_os("ANNON_WRITE_WIRE").is_some_and(|value| value == "1") {
        fs::write(COPY, &expected).unwrap();
    }
    let found = fs::read_to_string(COPY).unwrap_or_default();
    assert!(found == expected, "web/src/shared/wire/limits.ts is not what store/src/limits.rs says: run `make wire`");
}

#[test]
fn the_source_is_read_rightly() {
    let copy = typescript().unwrap();
    for line in [
        format!("export const USERNAME_MAX = {};", limits::USERNAME_MAX),
        format!("export const INBOX_NOTES = {};", limits::INBOX_NOTES),
        format!("export const PICTURE_MAX_BYTES = {};", limits::PICTURE_MAX_BYTES),
        format!("export const TOKEN_LIFETIME_SECONDS = {};", limits::TOKEN_LIFETIME.as_secs()),
    ] {
        assert!(copy.lines().any(|found| found == line), "{line}");
    }
    assert_eq!(copy.matches("export const ").count(), SOURCE.matches("\npub const ").count() + 2);
    assert!(copy.contains(r#""\u061c\u200e-\u200f\u202a-"#), "{copy}");
}

fn typescript() -> Result<String, String> {
    let mut copy = String::from("// Generated from store/src/limits.rs by `make wire`; don't edit.\n");
    let mut comment: Vec<&str> = Vec::new();
    // Long values stand on the line after their names.
    let source = SOURCE.replace("=\n    ", "= ");
    for line in source.lines() {
        if let Some(words) = line.strip_prefix("///") {
            comment.push(words.trim());
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, value) = parse(constant).ok_or(format!("this test can't read: {line}"))?;
            let words = match comment.as_slice() {
                [line] => format!("/** {line} */"),
                lines => format!("/**\n * {}\n */", lines.join("\n * ")),
            };
            let _ = write!(copy, "\n{words}\nexport const {name} = {value};\n");
            comment.clear();
        } else {
            comment.clear();
        }
    }
    copy.push_str(
        "\n/** Names nobody can have, in lower case: no name may equal one of them in any mixture of cases. */\n",
    );
    copy.push_str("export const RESERVED: readonly string[] = [\n");
    for name in RESERVED {
        let _ = writeln!(copy, "  \"{name}\",");
    }
    copy.push_str("];\n");
    copy.push_str(
        "\n/** The marks by which a text says in which direction it is read, for a class of a regular expression. */\n",
    );
    let _ = writeln!(copy, "export const DIRECTION_MARKS = \"{}\";", DIRECTION_MARKS.map(class).concat());
    Ok(copy)
}

/// A range of characters as it stands in a class of a regular expression.
fn class(range: RangeInclusive<char>) -> String {
    let [first, last] = [range.start(), range.end()].map(|c| format!("\\u{:04x}", u32::from(*c)));
    if first == last { first } else { format!("{first}-{last}") }
}

/// `NAME: type = value;` as a name, with its unit if it is a time, and a number.
fn parse(constant: &str) -> Option<(String, u64)> {
    let (name, rest) = constant.split_once(": ")?;
    let (_, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let of = |call: &str| value.strip_prefix(call)?.strip_suffix(')');
    if let Some(seconds) = of("Duration::from_secs(") {
        return Some((format!("{name}_SECONDS"), product(seconds)?));
    }
    if let Some(millis) = of("Duration::from_millis(") {
        return Some((format!("{name}_MS"), product(millis)?));
    }
    Some((name.to_owned(), product(value)?))
}

fn product(expression: &str) -> Option<u64> {
    expression.split('*').map(|factor| factor.trim().replace('_', "").parse::<u64>().ok()).product()
}
