//! The web app's copy of the contract.

use std::ops::RangeInclusive;
use std::path::Path;
use std::{env, fs};

use crate::code::Code;
use crate::limits::*;
use crate::names::{DIRECTION_MARKS, FORCING_MARKS};
use crate::pages::{ANSWER_TITLE, CONTENT_SECURITY_POLICY, PAGES, PERSONAL_TITLE};
use crate::palette::{PALETTE, UNKNOWN_MEMBER};
use crate::passwords::COMMON_PASSWORDS;
use crate::signs::{SIGNS, SIGNS_AT_HAND};

#[test]
fn the_web_app_has_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/shared/contract");
    let is_to_be_written = env::var_os("ANNON_WRITE_CONTRACT").is_some_and(|value| value == "1");
    for (name, content) in [
        ("limits.ts", limits()),
        ("codes.ts", codes()),
        ("palette.ts", palette()),
        ("signs.ts", signs()),
        // A page needs these at once, and all others later.
        ("signsAtHand.ts", signs_at_hand()),
        ("names.ts", names()),
        ("pages.ts", pages()),
        ("commonPasswords.ts", common_passwords()),
    ] {
        let file = folder.join(name);
        let content = format!("// Written by `make wire` from contract/src; don't edit.\n\n{content}");
        if is_to_be_written {
            fs::write(&file, &content).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(found == content, "web/src/shared/contract/{name} is not what contract/src says: run `make wire`");
    }
}

macro_rules! numbers {
    ($($name:ident)*) => { [$(constant(stringify!($name), $name as u64)),*].concat() };
}

macro_rules! seconds {
    ($($name:ident)*) => { [$(constant(concat!(stringify!($name), "_SECONDS"), $name.as_secs())),*].concat() };
}

/// The limits that the web app needs.
fn limits() -> String {
    let numbers = numbers!(
        USERNAME_MIN USERNAME_MAX EMAIL_MAX SIGNUP_PASSWORD_MIN LOGIN_MIN DELETE_PASSWORD_MIN CHANGE_PASSWORD_MIN
        CHANGE_PASSWORD_OVER NOTE_MIN NOTE_MAX INBOX_PAGE FEEDBACK_MIN FEEDBACK_MAX ROOM_NAME_MIN ROOM_NAME_MAX
        ROOM_NAME_SHOWN ROOM_MEMBERS CHAT_MAX CAPTION_MAX CHAT_ID_LEN ROOM_LIFETIME_HOURS ROOM_SHORT_LIFETIME_HOURS
        ROOM_PAGE ROOM_PAGE_MAX PICTURE_SIDE PICTURE_THUMB_SIDE PICTURE_QUALITY PICTURE_SENT_AS_IS_BYTES
        PICTURE_MAX_BYTES PICTURE_MAX_SIDE PASSWORD_MAX INBOX_PAGE_MAX REACTIONS_OF_MEMBER KNOCK_CALL_WAITS
        LINE_MAX CONVERSATION_LINES LINES_UNANSWERED CONVERSATIONS_PER_ACCOUNT CONVERSATIONS_PEEKED
        ANSWER_MAX ANSWERS_PAGE PAGE_LINE_MAX PROMPT_MAX PROMPTS HELD_WORDS HELD_WORD_MAX FLOOD_NOTES TAG_BYTES TAG_DAYS UNKNOWN_SIGN_IN_DAYS BLOCKS
        SEALED_PICTURE_STEP SEALED_CHECK_BYTES
        REPORT_MAX REPORT_OF_PAGE_MIN REPORT_LINES REPORT_PICTURES
    );
    numbers
        + &seconds!(TOKEN_LIFETIME RESET_LIFETIME CONFIRMATION_LIFETIME BATCH SEAT_WAITS UNSEND_WITHIN KNOCK_LASTS CONVERSATION_KEPT HELD_KEPT HANDOVER_KEPT REPORT_KEPT UNUSED_TOLD_BEFORE PUSH_EVERY)
}

fn constant(name: &str, value: u64) -> String {
    format!("export const {name} = {value};\n")
}

fn codes() -> String {
    let names: Vec<_> = Code::ALL.iter().map(|code| format!("\n  | \"{}\"", code.name())).collect();
    format!(
        "/** The codes of refusals and outcomes. Programs decide by them. */\nexport type Code ={};\n",
        names.concat()
    )
}

fn palette() -> String {
    format!(
        "/** Every emoji that a member can get. */\nexport const PALETTE = Array.from(\n  \"{}\",\n);\n\n\
         /** Stands for a member of whom a damaged log has lost who they are. */\n\
         export const UNKNOWN_MEMBER = \"{UNKNOWN_MEMBER}\";\n",
        PALETTE.concat()
    )
}

fn signs() -> String {
    let groups: Vec<_> = SIGNS.iter().map(|group| format!("  \"{group}\",\n")).collect();
    format!(
        "/** The emoji to type and to react with, each group in one string. */\nexport const SIGNS = [\n{}];\n",
        groups.concat()
    )
}

fn signs_at_hand() -> String {
    let at_hand: Vec<_> = SIGNS_AT_HAND.iter().map(|sign| format!("\"{sign}\"")).collect();
    format!(
        "/** The emoji to react with that are at hand. */\nexport const SIGNS_AT_HAND = [{}];\n",
        at_hand.join(", ")
    )
}

fn names() -> String {
    let (marks, forcing) = (DIRECTION_MARKS.map(class).concat(), FORCING_MARKS.map(class).concat());
    format!(
        "/** Unicode's direction marks, for a class of a regular expression. */\n\
         export const DIRECTION_MARKS = \"{marks}\";\n\n\
         /** Those of them that force a direction on letters. */\n\
         export const FORCING_MARKS = \"{forcing}\";\n"
    )
}

fn common_passwords() -> String {
    let words: Vec<_> = COMMON_PASSWORDS.lines().collect();
    format!(
        "/** The commonest passwords, most frequent first. The server refuses them. */\n\
         export const COMMON_PASSWORDS =\n  {:?}.split(\" \");\n",
        words.join(" ")
    )
}

fn pages() -> String {
    let paths: Vec<_> = PAGES.iter().map(|page| format!("  {}: {:?},\n", page.key, page.pattern)).collect();
    let titles: Vec<_> = PAGES.iter().map(|page| format!("  {:?}: {:?},\n", page.pattern, page.title)).collect();
    format!(
        "/** The address of each page, as a pattern. The router and every link are made from these. */\n\
         export const paths = {{\n{}}} as const;\n\n\
         /** The title that the server gives each page, by the pattern of its address. */\n\
         export const PAGES = {{\n{}}};\n\n\
         /** The title of a personal page. */\n\
         export const PERSONAL_TITLE = {PERSONAL_TITLE:?};\n\n\
         /** The title of the page of a public answer. */\n\
         export const ANSWER_TITLE = {ANSWER_TITLE:?};\n\n\
         /** The server sends it with every page. */\n\
         export const CONTENT_SECURITY_POLICY =\n  {CONTENT_SECURITY_POLICY:?};\n",
        paths.concat(),
        titles.concat()
    )
}

/// A range of characters for a class of a regular expression.
fn class(range: RangeInclusive<char>) -> String {
    let [first, last] = [range.start(), range.end()].map(|c| format!("\\u{:04x}", u32::from(*c)));
    if first == last { first } else { format!("{first}-{last}") }
}
