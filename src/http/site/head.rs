//! The part of a page's `<head>` that differs from page to page.

use annon_contract::pages::{PRODUCT, Page};

use super::assets;
use super::card::Card;
use super::identity::Identity;

/// The picture that previews of most links show, 1200 by 630 pixels like every
/// other card.
pub(super) const PREVIEW_PICTURE: &str = "/og.png";

/// What a page's HTML says about the page before any script runs.
pub(super) struct Head<'a> {
    pub(super) page: &'a Page,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// The path others should link to. `None` if the path is a secret (a reset
    /// link) or an invitation (a room): neither is repeated.
    pub(super) path: Option<&'a str>,
    /// The card of its own that link previews show.
    pub(super) card: Option<Card>,
    /// Whether the browser may know something of its user, which a script has
    /// to read before the page is drawn. Without a cookie there is nothing to
    /// read, and a newcomer doesn't wait for the script.
    pub(super) is_known: bool,
}

impl<'a> Head<'a> {
    /// The head of a page, the same for every newcomer.
    pub(super) fn of(page: &'a Page) -> Self {
        let fixed = !page.pattern.is_empty() && !page.pattern.contains(':');
        // The start page has two paths, and others should link to the shorter.
        let path = if page.pattern == "/index" { "/" } else { page.pattern };
        Self {
            page,
            title: page.title,
            description: page.description,
            path: fixed.then_some(path),
            card: None,
            is_known: false,
        }
    }

    /// The HTML of the tags; `origin` is the site's public address.
    pub(super) fn render(&self, origin: &str, identity: &Identity) -> String {
        let site = escape(&identity.name);
        let of_page = |text: &str, of_page: &str| if text == of_page { identity.named(text) } else { text.to_owned() };
        let title = escape(&of_page(self.title, self.page.title));
        let description = escape(&of_page(self.description, self.page.description));
        let origin = escape(origin);
        let (picture, alt) = match &self.card {
            Some(card) => (card.path(), card.alternative()),
            None => (PREVIEW_PICTURE.to_owned(), identity.named(PRODUCT)),
        };
        let (picture, alt) = (escape(&picture), escape(&alt));
        let full_title = if self.title == PRODUCT { title.clone() } else { format!("{title} · {site}") };
        let mut tags = format!(
            r#"<title>{full_title}</title>
    <meta name="description" content="{description}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{site}">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{description}">
    <meta property="og:image" content="{origin}{picture}">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta property="og:image:alt" content="{alt}">
    <meta name="twitter:card" content="summary_large_image">
    <meta name="twitter:title" content="{title}">
    <meta name="twitter:description" content="{description}">
    <meta name="twitter:image" content="{origin}{picture}">
"#,
        );
        if let Some(path) = self.path {
            let address = format!("{origin}{}", escape(path));
            tags.push_str(&format!(
                "    <link rel=\"canonical\" href=\"{address}\">\n    <meta property=\"og:url\" content=\"{address}\">\n"
            ));
        }
        if let Some(script) = assets::piece(assets::EARLY).files.last().filter(|_| self.is_known) {
            tags.push_str(&format!("    <script src=\"{script}\"></script>\n"));
        }
        if let Some(script) = self.page.prefetch.and_then(|piece| assets::piece(piece).files.last()) {
            tags.push_str(&format!(
                "    <script type=\"module\" async fetchpriority=\"high\" crossorigin src=\"{script}\"></script>\n"
            ));
        }
        let piece = assets::piece(&self.page.module());
        tags.push_str(&format!("    <style>{}{}</style>\n", piece.styles, identity.styles));
        for file in piece.files {
            // The styles are in the page. The app looks for the link before it
            // would load them.
            let rel = if file.ends_with(".css") { "stylesheet\" disabled" } else { "modulepreload\"" };
            tags.push_str(&format!("    <link rel=\"{rel} crossorigin href=\"{file}\">\n"));
        }
        // It has none of the shell's scripts.
        if let Some(script) = piece.files.last().filter(|_| self.page.prefetch.is_some()) {
            tags.push_str(&format!("    <script type=\"module\" crossorigin src=\"{script}\"></script>\n"));
        }
        if !self.page.indexable {
            tags.push_str("    <meta name=\"robots\" content=\"noindex\">\n");
        }
        tags
    }
}

/// Escapes a text for an element or a quoted attribute.
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
    use annon_store::lapse::Kept;
    use clap::Parser;

    use super::*;
    use crate::config;

    #[test]
    fn everything_is_escaped() {
        const NASTY: &str = r#"</title><script>"'&"#;
        let config::Cli { config, .. } = config::Cli::parse_from(["annon", "--site-name", "<b>&\"'"]);
        let html = Head {
            page: &annon_contract::pages::MISSING,
            title: NASTY,
            description: NASTY,
            path: Some(NASTY),
            card: Some(Card::Person(NASTY.to_owned())),
            is_known: true,
        }
        .render(NASTY, &Identity::of(&config.community, &config.events, Kept::default()));
        assert!(!html.contains("<script>") && !html.contains(NASTY));
        assert!(
            html.contains("<title>&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp; · &lt;b&gt;&amp;&quot;&#39;</title>")
        );
    }
}
