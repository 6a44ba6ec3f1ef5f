//! The part of a page's `<head>` that differs from page to page.

use super::assets;
use super::page::{ASK, PRODUCT, Page, chunks};

/// What link previews show, 1200 by 630.
pub(super) const PREVIEW_PICTURE: &str = "/og.png";

/// What a page says of itself before any script runs.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) indexable: bool,
    /// The path others should link to. None where the path is a secret (a
    /// reset link) or an invitation (a room): neither is repeated.
    pub(super) path: Option<&'a str>,
    /// The pieces of the app it needs first.
    pub(super) chunks: &'a [&'a str],
}

impl<'a> Head<'a> {
    /// The head of a page, the same for every visitor.
    pub(super) fn of(page: &'a Page) -> Self {
        let fixed = !page.pattern.is_empty() && !page.pattern.contains(':');
        // The start page has two addresses and one name.
        let path = if page.pattern == "/index" { "/" } else { page.pattern };
        Self {
            title: page.title,
            description: page.description,
            indexable: page.indexable,
            path: fixed.then_some(path),
            chunks: chunks(page.pattern),
        }
    }

    /// The tags, for a site that people reach at this origin.
    pub(super) fn render(&self, origin: &str) -> String {
        let title = escape(self.title);
        let description = escape(self.description);
        let origin = escape(origin);
        let full_title = if self.title == PRODUCT { title.clone() } else { format!("{title} · Annon") };
        let mut tags = format!(
            r#"<title>{full_title}</title>
    <meta name="description" content="{description}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="Annon">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{description}">
    <meta property="og:image" content="{origin}{PREVIEW_PICTURE}">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta property="og:image:alt" content="{alt}">
    <meta name="twitter:card" content="summary_large_image">
    <meta name="twitter:title" content="{title}">
    <meta name="twitter:description" content="{description}">
    <meta name="twitter:image" content="{origin}{PREVIEW_PICTURE}">
"#,
            alt = escape(PRODUCT),
        );
        if let Some(path) = self.path {
            let address = format!("{origin}{}", escape(path));
            tags.push_str(&format!(
                "    <link rel=\"canonical\" href=\"{address}\">\n    <meta property=\"og:url\" content=\"{address}\">\n"
            ));
        }
        for name in self.chunks {
            for file in assets::of_chunk(name) {
                tags.push_str(&tag_of(file.path, name));
            }
        }
        if !self.indexable {
            tags.push_str("    <meta name=\"robots\" content=\"noindex\">\n");
        }
        tags
    }
}

/// Asks for a built file. What asks the server runs as soon as it is there.
fn tag_of(path: &str, piece: &str) -> String {
    if path.ends_with(".css") {
        return format!("    <link rel=\"stylesheet\" crossorigin href=\"{path}\">\n");
    }
    if piece == ASK {
        return format!(
            "    <script type=\"module\" async fetchpriority=\"high\" crossorigin src=\"{path}\"></script>\n"
        );
    }
    format!("    <link rel=\"modulepreload\" crossorigin href=\"{path}\">\n")
}

/// Text as it may stand in an element or in a quoted attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://annon.example";

    #[test]
    fn everything_is_escaped() {
        let nasty = r#"</title><script>"'&"#;
        let head = Head { title: nasty, description: nasty, indexable: true, path: Some(nasty), chunks: &[] };
        let html = head.render(nasty);
        assert!(!html.contains("<script>") && !html.contains(nasty));
        assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp; · Annon</title>"));
    }

    #[test]
    fn links_are_absolute() {
        let html =
            Head { title: "T", description: "D", indexable: true, path: Some("/about"), chunks: &[] }.render(ORIGIN);
        assert!(html.contains(r#"<link rel="canonical" href="https://annon.example/about">"#));
        assert!(html.contains(r#"<meta property="og:url" content="https://annon.example/about">"#));
        assert!(html.contains(r#"<meta property="og:image" content="https://annon.example/og.png">"#));
        assert!(!html.contains("noindex"));
    }

    #[test]
    fn a_page_without_an_address_to_repeat_has_none() {
        let html = Head { title: "T", description: "D", indexable: false, path: None, chunks: &[] }.render(ORIGIN);
        assert!(!html.contains("canonical") && !html.contains("og:url"));
        assert!(html.contains(r#"<meta name="robots" content="noindex">"#));
    }
}
