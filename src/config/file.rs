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

/// What the files say that the command line names, or the variables. What is typed on the line or
/// is in a variable is left out, and variables in a file win over settings. The error is a sentence.
pub(super) fn settings(line: &[OsString]) -> Result<Vec<Setting>, String> {
    let variables = match path(line, "env-file") {
        Some(path) => variables(&path, &text_of_file(&path)?)?,
        None => Vec::new(),
    };
    let named = variables.iter().find_map(|(name, setting)| (name == "ANNON_CONFIG").then(|| setting.value()));
    let of_file = match path(line, "config").or(named) {
        Some(path) => {
            let text = text_of_file(&path)?;
            read(&text).map_err(|(at, why)| sentence(&path, &text, at, &why))?
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
    Ok(of_file.into_iter().chain(variables).filter(|setting| !is_given(setting)).collect())
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
fn variables(path: &Path, text: &str) -> Result<Vec<(String, Setting)>, String> {
    let command = Cli::command();
    let mut settings: Vec<(String, Setting)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let wrong = |why: String| format!("{}, line {number}: {why}", path.display());
        let (name, value) = line.split_once('=').ok_or_else(|| wrong("it is no VARIABLE=value".to_owned()))?;
        let name = name.trim_end();
        if !name.starts_with("ANNON_") || FOR_TESTS.contains(&name) {
            continue;
        }
        let is_it = |option: &&Arg| option.get_env() == Some(OsStr::new(name)) && name != "ANNON_ENV_FILE";
        let option = command.get_arguments().find(is_it);
        let option = option.ok_or_else(|| wrong(format!("no option has the variable {name}")))?;
        let long = option.get_long().unwrap_or_default();
        let flag = format!("--{long}={}", unquoted(value.trim()));
        check(&flag, long).map_err(wrong)?;
        // The last line counts.
        settings.retain(|(other, _)| other != name);
        settings.push((name.to_owned(), Setting { id: option.get_id().to_string(), flag: flag.into() }));
    }
    Ok(settings)
}

/// A value without the quotation marks around it.
fn unquoted(value: &str) -> &str {
    let within = |mark: char| value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

/// Whether a word of the command line is this flag, with its value or before it.
fn is_flag(word: &OsStr, name: &str) -> bool {
    let word = word.to_string_lossy();
    word.strip_prefix("--")
        .and_then(|word| word.strip_prefix(name))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// What is wrong, and after how many bytes.
type Wrong = (usize, String);

fn read(text: &str) -> Result<Vec<Setting>, Wrong> {
    let table = DeTable::parse(text)
        .map_err(|error| (error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
    let command = Cli::command();
    let options: Vec<_> = command.get_arguments().filter(|option| option.get_env().is_some()).collect();
    let mut settings: Vec<(usize, Setting)> = Vec::new();
    for (key, value) in table.get_ref() {
        let (at, name) = (key.span().start, key.get_ref().as_ref());
        let option =
            options.iter().find(|option| option.get_long() == Some(name) && !["config", "env-file"].contains(&name));
        let option = option.ok_or_else(|| (at, format!("there is no option {name}; `annon --help` has them all")))?;
        let flag = format!("--{name}={}", text_of(option, value)?);
        check(&flag, name).map_err(|why| (value.span().start, why))?;
        settings.push((at, Setting { id: option.get_id().to_string(), flag: flag.into() }));
    }
    settings.sort_by_key(|(at, _)| *at);
    Ok(settings.into_iter().map(|(_, setting)| setting).collect())
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
fn check(flag: &str, name: &str) -> Result<(), String> {
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
        let flags = |settings: Vec<Setting>| settings.iter().map(|s| s.flag.to_string_lossy().into_owned()).collect();
        read(text).map(flags).map_err(|(at, why)| sentence(Path::new("a.toml"), text, at, &why))
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
            variables(Path::new("a.env"), text).map(flags)
        };
        let text = "# a comment\n; another\n\nANNON_LISTEN=127.0.0.1:80\nPATH=/bin\nANNON_SITE_NAME='Our Choir'\n\
             ANNON_SMTP_URL=\"smtp://u:p=q@mail.example\"\n ANNON_LISTEN = 127.0.0.1:81 \n";
        let expected = ["--site-name=Our Choir", "--smtp-url=smtp://u:p=q@mail.example", "--listen=127.0.0.1:81"]
            .map(str::to_owned);
        assert_eq!(read(text).unwrap(), expected);
        for (text, wanted) in [
            ("\nANNON_LISTNE=1", "a.env, line 2: no option has the variable ANNON_LISTNE"),
            ("ANNON_WORKERS=0", "a.env, line 1: invalid value '0' for '--workers <N>'"),
            ("nonsense", "a.env, line 1: it is no VARIABLE=value"),
            ("ANNON_ENV_FILE=b.env", "a.env, line 1: no option has the variable ANNON_ENV_FILE"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.starts_with(wanted), "{why}");
        }
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
            ("sync = true\nsync = true", "a.toml, line 2, column 1: "),
        ] {
            let why = flags(text).unwrap_err();
            assert!(why.starts_with(wanted), "{why}");
        }
    }
}
