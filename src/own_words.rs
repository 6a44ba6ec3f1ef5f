//! The operator's own paragraphs on the pages for terms, privacy and the imprint: a plain text, in which empty
//! lines part paragraphs, `# ` begins a heading, and `[words](https://…)` is a link. Nothing in
//! it is HTML.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use parking_lot::RwLock;
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Community;
use crate::http::site::escape;

/// The most bytes of one file.
const BYTES_MAX: u64 = 32 * 1024;

/// A heading or a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Block {
    /// Whether it is a heading.
    pub heading: bool,
    /// Its words.
    pub parts: Vec<Part>,
}

/// Some words of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Part {
    /// The words.
    #[schema(example = "our statutes")]
    pub text: String,
    /// Where they lead to; absent if they are no link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "https://choir.example/statutes")]
    pub href: Option<String>,
}

type Blocks = Arc<[Block]>;

/// The words of the files, as they were read last.
pub struct OwnWords(RwLock<[Blocks; 3]>);

impl OwnWords {
    /// Reads the files. The error is a sentence.
    pub fn read(community: &Community) -> Result<Self, String> {
        Ok(Self(RwLock::new(read(community)?)))
    }

    /// Reads the files anew. After an error the words stay as they were.
    pub fn renew(&self, community: &Community) -> Result<(), String> {
        *self.0.write() = read(community)?;
        Ok(())
    }

    /// The words for a page, by its key.
    pub fn of(&self, page: &str) -> Option<Blocks> {
        let at = ["terms", "privacy", "imprint"].into_iter().position(|key| key == page)?;
        Some(self.0.read()[at].clone())
    }
}

fn read(community: &Community) -> Result<[Blocks; 3], String> {
    let [terms, privacy, imprint] = each(community);
    Ok([terms?, privacy?, imprint?])
}

/// What is wrong with the files, a sentence each.
pub fn mistakes(community: &Community) -> impl Iterator<Item = String> {
    each(community).into_iter().filter_map(Result::err)
}

fn each(community: &Community) -> [Result<Blocks, String>; 3] {
    let of = |option, file: &Option<_>| file.as_deref().map_or(Ok(Blocks::from([])), |file| of_file(option, file));
    [
        of("--terms-file", &community.terms_file),
        of("--privacy-file", &community.privacy_file),
        of("--imprint-file", &community.imprint_file),
    ]
}

fn of_file(option: &str, path: &Path) -> Result<Blocks, String> {
    let wrong = |why: String| format!("{option}: {}: {why}", path.display());
    let (mut text, file) = (String::new(), File::open(path).map_err(|error| wrong(error.to_string()))?);
    file.take(BYTES_MAX + 1).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
    if text.len() as u64 > BYTES_MAX {
        return Err(wrong(format!("it has more than {} kB", BYTES_MAX / 1024)));
    }
    Ok(parse(&text).into())
}

fn parse(text: &str) -> Vec<Block> {
    let (mut blocks, mut lines) = (Vec::new(), Vec::new());
    let end_paragraph = |lines: &mut Vec<&str>, blocks: &mut Vec<Block>| {
        if !lines.is_empty() {
            blocks.push(Block { heading: false, parts: parts(&lines.join(" ")) });
            lines.clear();
        }
    };
    for line in text.lines().map(str::trim) {
        let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim());
        if line.is_empty() || heading.is_some() {
            end_paragraph(&mut lines, &mut blocks);
        }
        match heading {
            Some("") => {}
            Some(heading) => blocks.push(Block { heading: true, parts: parts(heading) }),
            None if line.is_empty() => {}
            None => lines.push(line),
        }
    }
    end_paragraph(&mut lines, &mut blocks);
    blocks
}

/// The words of a paragraph, without and with links. What isn't whole stays as it is written.
fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let link = after.split_once("](").and_then(|(words, after)| Some((words, after.split_once(')')?)));
        match link {
            Some((words, (href, after))) if leads_out(href) && !words.is_empty() && !words.contains('[') => {
                if !plain.is_empty() {
                    parts.push(Part { text: std::mem::take(&mut plain), href: None });
                }
                parts.push(Part { text: words.to_owned(), href: Some(href.to_owned()) });
                rest = after;
            }
            _ => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        parts.push(Part { text: plain, href: None });
    }
    parts
}

fn leads_out(href: &str) -> bool {
    ["https://", "mailto:"].iter().any(|begins| href.starts_with(begins)) && !href.contains(char::is_whitespace)
}

/// The words in a page, as the web app draws them. It draws such a page anew, since the words come
/// by a call: the mark says so.
pub fn html(blocks: &[Block]) -> String {
    let mut html = String::new();
    for Block { heading, parts } in blocks {
        let tag = if *heading { "h3" } else { "p" };
        html += &format!("<{tag} data-answer>");
        for Part { text, href } in parts {
            let text = escape(text);
            match href {
                Some(href) => html += &format!("<a href=\"{}\">{text}</a>", escape(href)),
                None => html += &text,
            }
        }
        html += &format!("</{tag}>");
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_headings_paragraphs_and_links_and_never_html() {
        let text = "# The <choir>\r\n\r\nOne line,\nand [our statutes](https://choir.example/?a=1&b=\"2\").\n\
             ## By mail\nWrite to [us](mailto:us@choir.example)!\n\n\n#\n<script>alert(1)</script>\n";
        let expected = "<h3 data-answer>The &lt;choir&gt;</h3>\
             <p data-answer>One line, and <a href=\"https://choir.example/?a=1&amp;b=&quot;2&quot;\">our statutes</a>.</p>\
             <h3 data-answer>By mail</h3><p data-answer>Write to <a href=\"mailto:us@choir.example\">us</a>!</p>\
             <p data-answer>&lt;script&gt;alert(1)&lt;/script&gt;</p>";
        assert_eq!(html(&parse(text)), expected);
        assert_eq!(parse(" \n\n"), []);
    }

    #[test]
    fn what_is_no_link_stays_as_it_is_written() {
        for plain in [
            "[a](javascript:alert(1))",
            "[a](http://plain.example)",
            "[a](/terms)",
            "[](https://a.example)",
            "[a](https://a.example b)",
            "[a](https://a.example",
            "[a] (https://a.example)",
            "a ] b [ c",
        ] {
            assert_eq!(parts(plain), [Part { text: plain.to_owned(), href: None }], "{plain}");
        }
        let [before, link] = &parts("[a [b](https://a.example)")[..] else { panic!() };
        assert_eq!((&*before.text, &*link.text), ("[a ", "b"));
    }
}
