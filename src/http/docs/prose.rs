//! Words of the description as HTML.

use crate::http::site::escape;

/// Paragraphs, with what stands in backticks set as code.
pub(super) fn paragraphs(text: &str) -> String {
    text.split("\n\n")
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| format!("<p>{}</p>\n", line(paragraph)))
        .collect()
}

/// Formats text within a line.
pub(super) fn line(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd backtick is a backtick.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let set = |(at, part): (usize, &&str)| match at % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(set).collect()
}

/// A name that can be linked to: letters, digits and hyphens.
pub(super) fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_and_backticks_are_code() {
        assert_eq!(paragraphs("A `<b>` & c.\n\nD."), "<p>A <code>&lt;b&gt;</code> &amp; c.</p>\n<p>D.</p>\n");
        assert_eq!(paragraphs("an odd ` one"), "<p>an odd ` one</p>\n");
        assert_eq!(paragraphs(" \n\n "), "");
    }

    #[test]
    fn a_slug_can_stand_in_a_link() {
        assert_eq!(slug("GET /api/room/{id}/image/{image}"), "get-api-room-id-image-image");
        assert_eq!(slug("\"><script>"), "script");
    }
}
