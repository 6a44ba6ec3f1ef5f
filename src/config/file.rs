//! The file of --config: settings in TOML, each named as its flag is; and that of --env-file,
//! with variables.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, CommandFactory};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::Cli;
use crate::config::warnings::FOR_TESTS;

/// One setting of the file, as a flag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) id: String,
    pub(super) flag: OsString,
}

impl Setting {
    fn value(&self) -> PathBuf {
        let flag = self.flag.to_string_lossy();
        flag.split_once('=').map_or_else(PathBuf::new, |(_, value)| value.into())
    }
}

/// What was found in the files.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) settings: Vec<Setting>,
    /// What is wrong in them, a sentence each.
    pub(super) mistakes: Vec<String>,
    /// Variables that no option has.
    pub(super) unknown: Vec<String>,
}

/// What the files say that the command line names, or the variables. What is typed on the line or
/// is in a variable is left out, and variables in a file win over settings.
pub(super) fn settings(line: &[OsString]) -> Found {
    let mut found = Found::default();
    let variables = match path(line, "env-file") {
        Some(path) => match text_of_file(&path) {
            Ok(text) => variables(&path, &text, &mut found),
            Err(why) => {
                found.mistakes.push(why);
                Vec::new()
            }
        },
        None => Vec::new(),
    };
    let named = variables.iter().find_map(|(name, setting)| (name == "ANNON_CONFIG").then(|| setting.value()));
    let of_file = match path(line, "config").or(named).map(|path| (text_of_file(&path), path)) {
        Some((Ok(text), path)) => {
            let (settings, wrong) = read(&text);
            found.mistakes.extend(wrong.iter().map(|(at, why)| sentence(&path, &text, *at, why)));
            settings
        }
        Some((Err(why), _)) => {
            found.mistakes.push(why);
            Vec::new()
        }
        None => Vec::new(),
    };
    let variables: Vec<_> = variables.into_iter().map(|(_, setting)| setting).collect();
    let command = Cli::command();
    let is_given = |setting: &Setting| {
        let option = command.get_arguments().find(|option| option.get_id().as_str() == setting.id);
        let variable = option.and_then(Arg::get_env).is_some_and(|name| std::env::var_os(name).is_some());
        variable || option.and_then(Arg::get_long).is_some_and(|name| line.iter().any(|word| is_flag(word, name)))
    };
    let is_variable = |setting: &Setting| variables.iter().any(|other| other.id == setting.id);
    let of_file: Vec<_> = of_file.into_iter().filter(|setting| !is_variable(setting)).collect();
    found.settings = of_file.into_iter().chain(variables).filter(|setting| !is_given(setting)).collect();
    found
}

fn text_of_file(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("can't read {}: {error}", path.display()))
}

/// The file that an option names, on the line or by its variable.
fn path(line: &[OsString], option: &str) -> Option<PathBuf> {
    let at = line.iter().position(|word| is_flag(word, option));
    let typed = at.and_then(|at| match line[at].to_string_lossy().split_once('=') {
        Some((_, path)) => Some(path.into()),
        None => line.get(at + 1).cloned(),
    });
    let variable = format!("ANNON_{}", option.to_uppercase().replace('-', "_"));
    typed.or_else(|| std::env::var_os(variable)).map(PathBuf::from)
}

/// The variables of a file, as systemd reads it. Those of other programs are passed over.
fn variables(path: &Path, text: &str, found: &mut Found) -> Vec<(String, Setting)> {
    let command = Cli::command();
    let mut settings: Vec<(String, Setting)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let mut wrong = |why: &str| found.mistakes.push(format!("{}, line {number}: {why}", path.display()));
        let Some((name, value)) = line.split_once('=') else {
            wrong("it is no VARIABLE=value");
            continue;
        };
        let name = name.trim_end();
        if !name.starts_with("ANNON_") || FOR_TESTS.contains(&name) {
            continue;
        }
        if name == "ANNON_ENV_FILE" {
            wrong("a file of variables can't name another");
            continue;
        }
        let is_it = |option: &&Arg| option.get_env() == Some(OsStr::new(name));
        let Some(option) = command.get_arguments().find(is_it) else {
            // As with one in the environment.
            found.unknown.push(name.to_owned());
            continue;
        };
        let long = option.get_long().unwrap_or_default();
        let flag = format!("--{long}={}", unquoted(value.trim()));
        if let Err(why) = check(&flag, long) {
            wrong(&why);
            continue;
        }
        // The last line counts.
        settings.retain(|(other, _)| other != name);
        settings.push((name.to_owned(), Setting { id: option.get_id().to_string(), flag: flag.into() }));
    }
    settings
}

/// A value without the quotation marks around it.
fn unquoted(value: &str) -> &str {
    let within = |mark: char| value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

/// Whether a word of the command line is this flag, with its value or before it.
pub(super) fn is_flag(word: &OsStr, name: &str) -> bool {
    let word = word.to_string_lossy();
    word.strip_prefix("--")
        .and_then(|word| word.strip_prefix(name))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// What is wrong, and after how many bytes.
type Wrong = (usize, String);

/// The settings of a file, and all that is wrong in it.
fn read(text: &str) -> (Vec<Setting>, Vec<Wrong>) {
    let (mut settings, mut wrong): (Vec<(usize, Setting)>, Vec<Wrong>) = (Vec::new(), Vec::new());
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            // The rest of what is no TOML can't be read.
            return (Vec::new(), vec![(at, in_a_string(text, at).unwrap_or_else(|| error.message().to_owned()))]);
        }
    };
    let command = Cli::command();
    let options: Vec<_> = command.get_arguments().filter(|option| option.get_env().is_some()).collect();
    for (key, value) in table.get_ref() {
        let (at, name) = (key.span().start, key.get_ref().as_ref());
        match setting(&options, at, name, value) {
            Ok(setting) => settings.push((at, setting)),
            Err(why) => wrong.push(why),
        }
    }
    settings.sort_by_key(|(at, _)| *at);
    wrong.sort();
    (settings.into_iter().map(|(_, setting)| setting).collect(), wrong)
}

fn setting(options: &[&Arg], at: usize, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Setting, Wrong> {
    let option =
        options.iter().find(|option| option.get_long() == Some(name) && !["config", "env-file"].contains(&name));
    let option = option.ok_or_else(|| (at, format!("there is no option {name}; `annon --help` has them all")))?;
    let flag = format!("--{name}={}", text_of(option, value)?);
    check(&flag, name).map_err(|why| (value.span().start, why))?;
    Ok(Setting { id: option.get_id().to_string(), flag: flag.into() })
}

/// What to write where a text has no quotation marks, as `listen = 127.0.0.1:80`: a parser takes it
/// for a number that is wrong.
fn in_a_string(text: &str, at: usize) -> Option<String> {
    let line = text[..text.floor_char_boundary(at)].rfind('\n').map_or(0, |end| end + 1);
    let line = text[line..].lines().next()?;
    let (name, value) = line.split_once('=')?;
    let (name, value) = (name.trim(), value.split(" #").next()?.trim());
    let is_bare = !value.is_empty() && !value.starts_with(['"', '\'', '[', '{', '+', '-']) && !value.contains('"');
    let is_known = Cli::command().get_arguments().any(|option| option.get_long() == Some(name));
    let is_broken = || DeTable::parse(&format!("{name} = {value}")).is_err();
    (is_bare && is_known && is_broken()).then(|| format!("a text stands in quotation marks: {name} = \"{value}\""))
}

/// A value as it is typed after a flag.
fn text_of(option: &Arg, value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let delimiter = option.get_value_delimiter();
    match (value.get_ref(), delimiter) {
        (DeValue::String(text), _) => Ok(text.to_string()),
        (DeValue::Integer(number), _) => Ok(number.to_string()),
        (DeValue::Float(number), _) => Ok(number.to_string()),
        (DeValue::Boolean(is_on), _) => Ok(if *is_on { "on" } else { "off" }.to_owned()),
        (DeValue::Array(values), Some(delimiter)) => {
            let texts = values.iter().map(|value| text_of(option, value)).collect::<Result<Vec<_>, _>>()?;
            Ok(texts.join(&delimiter.to_string()))
        }
        _ => Err((value.span().start, "a value is text, a number, true or false".to_owned())),
    }
}

/// Whether the option takes this value. What it needs beside it, the whole line shows.
pub(super) fn check(flag: &str, name: &str) -> Result<(), String> {
    let Err(error) = Cli::command().try_get_matches_from(["annon", flag]) else { return Ok(()) };
    let is_about = |text: &str| text == format!("--{name}") || text.starts_with(&format!("--{name} "));
    match (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue)) {
        (Some(ContextValue::String(option)), Some(_)) if is_about(option) => {
            let sentence = error.to_string();
            let first = sentence.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_owned())
        }
        _ => Ok(()),
    }
}

fn sentence(path: &Path, text: &str, at: usize, why: &str) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{}, line {line}, column {column}: {why}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Result<Vec<String>, String> {
        let (settings, wrong) = read(text);
        let wrong: Vec<_> = wrong.iter().map(|(at, why)| sentence(Path::new("a.toml"), text, *at, why)).collect();
        let flags = settings.iter().map(|setting| setting.flag.to_string_lossy().into_owned()).collect();
        if wrong.is_empty() { Ok(flags) } else { Err(wrong.join("\n")) }
    }

    #[test]
    fn each_setting_is_the_flag_of_its_name() {
        let text = "# Where people come in\nlisten = \"127.0.0.1:80\"\nsends-per-second = 5\nsync = false\n\
             room-lifetime-hours = 0.5\ntrusted-proxies = [\"10.0.0.1\", \"10.1.0.0/16\"]\nkeys-url = \"same\"\n";
        let expected = [
            "--listen=127.0.0.1:80",
            "--sends-per-second=5",
            "--sync=off",
            "--room-lifetime-hours=0.5",
            "--trusted-proxies=10.0.0.1,10.1.0.0/16",
            "--keys-url=same",
        ];
        assert_eq!(flags(text).unwrap(), expected);
        assert_eq!(flags("").unwrap(), [""; 0]);
    }

    #[test]
    fn a_file_of_variables_is_read_as_systemd_reads_it() {
        let read = |text: &str| {
            let flags = |settings: Vec<(String, Setting)>| {
                settings.into_iter().map(|(_, setting)| setting.flag.into_string().unwrap()).collect::<Vec<_>>()
            };
            let mut found = Found::default();
            let settings = flags(variables(Path::new("a.env"), text, &mut found));
            (settings, found.mistakes, found.unknown)
        };
        let text = "# a comment\n; another\n\nANNON_LISTEN=127.0.0.1:80\nPATH=/bin\nANNON_SITE_NAME='Our Choir'\n\
             ANNON_SMTP_URL=\"smtp://u:p=q@mail.example\"\n ANNON_LISTEN = 127.0.0.1:81 \n";
        let expected = ["--site-name=Our Choir", "--smtp-url=smtp://u:p=q@mail.example", "--listen=127.0.0.1:81"]
            .map(str::to_owned);
        assert_eq!(read(text), (expected.to_vec(), Vec::new(), Vec::new()));
        // All that is wrong is said, and the rest is read.
        let text = "ANNON_WORKERS=0\nnonsense\nANNON_ENV_FILE=b.env\nANNON_LISTNE=1\nANNON_LISTEN=127.0.0.1:80\n";
        let (settings, mistakes, unknown) = read(text);
        assert_eq!((settings, unknown), (vec!["--listen=127.0.0.1:80".to_owned()], vec!["ANNON_LISTNE".to_owned()]));
        for (why, wanted) in mistakes.iter().zip([
            "a.env, line 1: invalid value '0' for '--workers <N>'",
            "a.env, line 2: it is no VARIABLE=value",
            "a.env, line 3: a file of variables can't name another",
        ]) {
            assert!(why.starts_with(wanted), "{why}");
        }
        assert_eq!(mistakes.len(), 3);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_column() {
        for (text, wanted) in [
            ("listen = \"127.0.0.1:80\"\nsync = ", "a.toml, line 2, column 8: "),
            ("\n  listne = 1", "a.toml, line 2, column 3: there is no option listne; "),
            ("public_url = \"https://a.example\"", "a.toml, line 1, column 1: there is no option public_url; "),
            ("config = \"b.toml\"", "a.toml, line 1, column 1: there is no option config; "),
            ("listen = \"nowhere\"", "a.toml, line 1, column 10: invalid value 'nowhere' for '--listen <ADDR:PORT>'"),
            ("workers = 0", "a.toml, line 1, column 11: invalid value '0' for '--workers <N>'"),
            ("workers = [1]", "a.toml, line 1, column 11: a value is text, a number, true or false"),
            ("[mail]\nfrom = 1", "a.toml, line 1, column 2: there is no option mail; "),
            ("sync = true\nsync = true", "a.toml, line 2, column 1: duplicate key"),
            ("# Here\nlisten = 127.0.0.1:80", "a text stands in quotation marks: listen = \"127.0.0.1:80\""),
            ("public-url = https://a.example # ours", "quotation marks: public-url = \"https://a.example\""),
            ("log-level = warn", "quotation marks: log-level = \"warn\""),
        ] {
            let why = flags(text).unwrap_err();
            assert!(if wanted.starts_with("a.toml") { why.starts_with(wanted) } else { why.contains(wanted) }, "{why}");
        }
        let both = flags("workers = 0\nlisten = \"127.0.0.1:80\"\nlog-level = \"loud\"\n").unwrap_err();
        assert!(both.lines().count() == 2 && both.contains("line 1") && both.contains("line 3"), "{both}");
    }
}
