//! What makes the site its community's own, as its pages have it.

use std::fmt::Write as _;

use annon_contract::pages::PRODUCT;
use annon_store::lapse::Kept;

use super::assets::{self, File};
use super::head::escape;
use super::put_in;
use crate::config::{ANNON, Community, Events, SignUp};

mod limits;
use limits::Limits;

/// What a drawn page has in place of the site's name and of the operator's address, as a link
/// and as people read it.
const SITE: &str = "{site}";
const CONTACT: &str = "{contact}";
const CONTACT_WORDS: &str = "{contact-words}";

/// What a drawn page has in the points that are true only where the operator keeps addresses, and
/// only where not.
const IF_KEPT: &str = "data-where-addresses-are=\"kept\"";
const UNLESS_KEPT: &str = "data-where-addresses-are=\"not-kept\"";

/// And in the link to the imprint.
const IMPRINT: &str = "data-imprint-here";
/// And in the question for an age, which names it so.
const AGE: &str = "data-minimum-age-here";
const YEARS: &str = "{minimum-age}";

pub(super) struct Identity {
    /// Who may sign up, as the app calls it; nothing if anybody may.
    pub(super) sign_up: &'static str,
    pub(super) name: String,
    contact: String,
    /// Attributes of a page's first element, where styles and scripts see them. They stand
    /// behind one whose quotation mark is open, and leave that of the last open.
    pub(super) attributes: String,
    /// They follow those of every page.
    pub(super) styles: String,
    /// The marks of points that aren't true of this site, or lead to nothing on it.
    left_out: Vec<&'static str>,
    kept: Limits,
    minimum_age: String,
}

impl Identity {
    pub(super) fn of(community: &Community, events: &Events, kept: Kept) -> Self {
        let sign_up = match community.sign_up {
            SignUp::Open => "",
            SignUp::Invitation => "invitation",
            SignUp::Closed => "closed",
        };
        let contact = community.site_contact.as_ref().map_or("", |contact| &contact.0).to_owned();
        let name = community.name().to_owned();
        let given_name = if community.site_name.is_some() { &*name } else { "" };
        let mut attributes = String::new();
        let has_imprint = community.imprint_file.is_some();
        let has_words = community.terms_file.is_some() || community.privacy_file.is_some() || has_imprint;
        let own_words = if has_words { "yes" } else { "" };
        let addresses = if events.keep_addresses() { "kept" } else { "" };
        let untrue = if addresses.is_empty() { IF_KEPT } else { UNLESS_KEPT };
        let mut left_out: Vec<_> = [untrue].into_iter().chain((!has_imprint).then_some(IMPRINT)).collect();
        let minimum_age = community.minimum_age.map(|years| years.to_string()).unwrap_or_default();
        left_out.extend(minimum_age.is_empty().then_some(AGE));
        let kept = Limits::of(kept, events);
        left_out.extend(kept.untrue());
        for (attribute, value) in [
            ("own-words", own_words),
            ("imprint", if has_imprint { "yes" } else { "" }),
            ("sign-up", sign_up),
            ("minimum-age", &*minimum_age),
            ("addresses", addresses),
            ("notes-kept", &*kept.notes),
            ("feedback-kept", &*kept.feedback),
            ("accounts-kept", &*kept.accounts),
            ("events-kept", &*kept.events),
            ("site-name", given_name),
            ("site-contact", &*contact),
        ] {
            if !value.is_empty() {
                // Writing to a String can't fail.
                let _ = write!(attributes, "\" data-{attribute}=\"{}", escape(value));
            }
        }
        // Twice the element: so it also wins over styles that are loaded later.
        let styles = community.site_colour.as_ref().map(|colour| format!(":root:root{{--hot:{colour}}}"));
        Self { sign_up, name, contact, attributes, styles: styles.unwrap_or_default(), left_out, kept, minimum_age }
    }

    /// Puts what is chosen into a page that was drawn when the app was built.
    pub(super) fn put_into(&self, drawn: &str) -> String {
        let words = self.contact.strip_prefix("mailto:").unwrap_or(&self.contact);
        // Styles hide the link if there is none; without them it leads nowhere else.
        let drawn = self.left_out.iter().fold(drawn.to_owned(), |drawn, mark| without_points(&drawn, mark));
        let link = if self.contact.is_empty() { "#".into() } else { escape(&self.contact) };
        let drawn = self.kept.put_into(&drawn);
        let drawn = put_in(&drawn, &[(YEARS, &*self.minimum_age)]);
        put_in(&drawn, &[(SITE, &*escape(&self.name)), (CONTACT, &*link), (CONTACT_WORDS, &*escape(words))])
    }

    /// A text about the site in which its name stands.
    pub(super) fn named(&self, text: &str) -> String {
        text.replace(ANNON, &self.name)
    }

    /// The text of a file of the web app that says something of the site: what browsers keep
    /// for use without a network, and what they install. `None` for all other files, and where
    /// nothing is chosen.
    pub(super) fn own(&self, file: &File) -> Option<String> {
        if self.attributes.is_empty() && self.styles.is_empty() {
            return None;
        }
        let text = std::str::from_utf8(file.plain.bytes).ok()?;
        match file.path {
            assets::SHELL => {
                let title = escape(&self.named(PRODUCT));
                let text = text.replacen(&format!("<title>{PRODUCT}"), &format!("<title>{title}"), 1);
                let text = text.replacen("lang=\"en\"", &format!("lang=\"en{}\"", self.attributes), 1);
                Some(text.replacen("</head>", &format!("<style>{}</style></head>", self.styles), 1))
            }
            assets::MANIFEST => {
                let name = serde_json::to_string(&self.name).ok()?;
                Some(text.replace(&format!("\"{ANNON}\""), &name))
            }
            _ => None,
        }
    }
}

/// Leaves out the elements that have this mark. Without styles they would be read, too. None has one of its own kind in it.
fn without_points(drawn: &str, mark: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(drawn.len()), drawn);
    while let Some(at) = rest.find(mark) {
        let begins = rest[..at].rfind('<').unwrap_or(at);
        let name = rest[begins + 1..].split([' ', '>']).next().unwrap_or_default();
        let end = format!("</{name}>");
        let ends = rest[at..].find(&end).map_or(rest.len(), |at_end| at + at_end + end.len());
        kept.push_str(&rest[..begins]);
        rest = &rest[ends..];
    }
    kept + rest
}
