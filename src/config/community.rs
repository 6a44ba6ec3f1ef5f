//! The options by which a site is its community's own.

use std::path::PathBuf;
use std::str::FromStr;

use annon_store::text::is_direction;
use clap::{Args, ValueEnum};

use crate::config::Contact;

/// What the software is called, and a site whose operator has chosen no name.
pub const ANNON: &str = "Annon";
/// The longest name of a site, in characters.
const NAME_MAX: usize = 30;
/// The print on stickers, and the light paper behind them: `web/src/styles/tokens.css`.
const PRINT: [u8; 3] = [0x1d, 0x18, 0x36];
const LIGHT_PAPER: [u8; 3] = [0xfd, 0xf0, 0xd7];
/// How much the site's colour has to differ from both: text on it has to be readable (WCAG 2.2,
/// AA), and it has to be seen, as all that has it also has a border. From the dark paper it
/// differs by far more then.
const FROM_PRINT: f64 = 4.5;
const FROM_PAPER: f64 = 1.5;

#[derive(Clone, Args)]
pub struct Community {
    /// Who may sign up: anybody, those with an invitation (`annon invite`), or nobody.
    #[arg(
        long,
        global = true,
        env = "ANNON_SIGN_UP",
        value_name = "open|invitation|closed",
        default_value = "open",
        hide_possible_values = true
    )]
    pub sign_up: SignUp,

    /// How old people have to be to sign up, in years: they state it, and nothing of it is kept. Default: nobody is
    /// asked.
    #[arg(long, global = true, env = "ANNON_MINIMUM_AGE", value_name = "YEARS", value_parser = clap::value_parser!(u8).range(1..=99))]
    pub minimum_age: Option<u8>,

    /// What the site is called, in at most 30 characters. Default: Annon.
    #[arg(long, global = true, env = "ANNON_SITE_NAME", value_name = "NAME")]
    pub site_name: Option<SiteName>,

    /// The colour of buttons and marks, as '#rrggbb', in both themes. Default: a
    /// pink.
    #[arg(long, global = true, env = "ANNON_SITE_COLOUR", value_name = "#RRGGBB")]
    pub site_colour: Option<SiteColour>,

    /// Where people reach the operator: an email address or an https:// page. It is
    /// in the footer and on the pages for terms, privacy and reports.
    #[arg(long, global = true, env = "ANNON_SITE_CONTACT", value_name = "CONTACT")]
    pub site_contact: Option<Contact>,

    /// A text with paragraphs of your own for the page with the terms: empty lines
    /// part them, # begins a heading, and [words](https://…) is a link. It is read
    /// anew at SIGHUP.
    #[arg(long, global = true, env = "ANNON_TERMS_FILE", value_name = "FILE")]
    pub terms_file: Option<PathBuf>,

    /// The same for the page about privacy.
    #[arg(long, global = true, env = "ANNON_PRIVACY_FILE", value_name = "FILE")]
    pub privacy_file: Option<PathBuf>,

    /// The same for a page that says who runs the site; with it, each footer has a
    /// link to that page.
    #[arg(long, alias = "imprint", global = true, env = "ANNON_IMPRINT_FILE", value_name = "FILE")]
    pub imprint_file: Option<PathBuf>,
}

impl Community {
    /// What the site is called.
    pub fn name(&self) -> &str {
        self.site_name.as_ref().map_or(ANNON, |name| &name.0)
    }
}

/// The name of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteName(String);

impl FromStr for SiteName {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let name = raw.trim();
        if !(1..=NAME_MAX).contains(&name.chars().count()) {
            return Err(format!("it has to have 1 to {NAME_MAX} characters"));
        }
        if name.chars().any(|c| c.is_control() || is_direction(c)) {
            return Err("it has a character that nobody sees".to_owned());
        }
        Ok(Self(name.to_owned()))
    }
}

/// A colour that buttons can have in both themes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteColour([u8; 3]);

impl std::fmt::Display for SiteColour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl FromStr for SiteColour {
    type Err = &'static str;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let digits = raw
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, colour @ ..] = number.ok_or("it has to be # and six hexadecimal digits")?.to_be_bytes();
        if contrast(colour, PRINT) < FROM_PRINT {
            return Err("dark text can hardly be read on it: choose a lighter colour");
        }
        if contrast(colour, LIGHT_PAPER) < FROM_PAPER {
            return Err("it can hardly be seen on the light background: choose a darker colour");
        }
        Ok(Self(colour))
    }
}

/// How much two colours differ, from 1 to 21 (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let [one, other] = [one, other].map(luminance);
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Who may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SignUp {
    /// Anybody.
    Open,
    /// Who has an invitation.
    Invitation,
    /// Nobody.
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_can_be_read_on_and_seen() {
        for good in ["#ff6098", "#FFB300", "#7fbf7f", "#00a0ff"] {
            assert_eq!(good.parse::<SiteColour>().map(|colour| colour.to_string()), Ok(good.to_lowercase()));
        }
        for (bad, why) in [
            ("#1d1836", "lighter"),
            ("#2b46d6", "lighter"),
            ("#ffffff", "darker"),
            ("#fdf0d7", "darker"),
            ("ff6098", "digits"),
            ("#ff60", "digits"),
            ("#ff609g", "digits"),
            ("#+f6098", "digits"),
            ("#\u{e9}\u{e9}\u{e9}", "digits"),
            ("red", "digits"),
        ] {
            assert!(bad.parse::<SiteColour>().unwrap_err().contains(why), "{bad}");
        }
    }

    #[test]
    fn the_colours_that_it_is_compared_with_are_those_of_the_pages() {
        let tokens = include_str!("../../web/src/styles/tokens.css");
        let [print, paper] = [PRINT, LIGHT_PAPER].map(|colour| SiteColour(colour).to_string());
        assert!(tokens.contains(&format!("--print: {print};")), "{print}");
        assert!(tokens.contains(&format!("--paper: light-dark({paper}, ")), "{paper}");
        assert!(tokens.contains("--hot: #"), "it is this one that the site's colour replaces");
    }

    #[test]
    fn a_name_is_short_and_all_of_it_is_seen() {
        for good in ["Choir", "  St. John’s <Choir> & \"Friends\"", "\u{1f3b6}"] {
            assert_eq!(good.parse(), Ok(SiteName(good.trim().to_owned())));
        }
        for bad in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(31)] {
            assert!(bad.parse::<SiteName>().is_err(), "{bad:?}");
        }
    }
}
