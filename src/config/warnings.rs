//! What works, but is most likely not what the operator wants.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::parser::ValueSource;

use super::{Cli, Config, MetricsListen};
use crate::mail;

/// Variables that are no options begin with these: they are read by tests, or by
/// what is built for tests.
pub(super) const FOR_TESTS: [&str; 1] = ["ANNON_INVARIANTS"];

impl Config {
    /// A sentence each, for the log at the start and for `check-config`.
    pub fn warnings(&self) -> Vec<String> {
        let named: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
        let mut warnings = self.about_others(&named);
        for (name, url, what, file) in [
            (
                "database_url",
                &self.database_url,
                "a database's password",
                "ANNON_DATABASE_URL or --database-password-file",
            ),
            ("keys_url", &self.keys_url, "a database's password", "ANNON_KEYS_URL or --keys-password-file"),
            ("nats_url", &self.nats_url, "the password for NATS", "ANNON_NATS_URL or --nats-password-file"),
        ] {
            let has_password = url.as_ref().is_some_and(|url| mail::has_password(url) || url.contains("password="));
            if has_password && self.is_typed(name) {
                warnings.push(format!(
                    "{what} is on the command line, where ps shows it to everyone on this machine: use {file}"
                ));
            }
        }
        let has_password = || self.smtp_url.as_ref().is_some_and(|url| mail::has_password(url));
        if self.is_typed("smtp_url") && has_password() {
            warnings.push(
                "the mail server's password is on the command line, where ps shows it to everyone on this machine: \
                 use ANNON_SMTP_URL or --smtp-password-file"
                    .to_owned(),
            );
        }
        warnings
    }

    /// Whether an option was given on the command line.
    fn is_typed(&self, id: &str) -> bool {
        let is_in_file = self.in_file.iter().any(|other| other == id);
        self.given.value_source(id) == Some(ValueSource::CommandLine) && !is_in_file
    }

    fn about_others(&self, variables: &[OsString]) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.trusted_proxies.iter().any(|range| range.prefix_len() == 0) {
            warnings.push(
                "--trusted-proxies trusts everybody: each caller can claim any address, and no limit per address holds"
                    .to_owned(),
            );
        }
        if let Some(MetricsListen::At(address)) = self.metrics_listen
            && !address.ip().is_loopback()
        {
            warnings.push(format!("--metrics-listen {address} shows figures of this server to whoever reaches it"));
        }
        if self.smtp_url.as_ref().is_some_and(|url| mail::is_readable_on_the_way(url)) {
            warnings.push(
                "--smtp-url sends mails, and the links in them, unencrypted to another machine: use smtp:// or smtps://"
                    .to_owned(),
            );
        }
        if !self.sync && self.public_url.as_ref().is_some_and(super::PublicUrl::is_https) {
            warnings.push("--sync off loses what people were told is kept, if the power fails".to_owned());
        }
        let command = Cli::command();
        let known: Vec<_> = command.get_arguments().filter_map(|option| option.get_env()).collect();
        for name in variables {
            let text = name.to_string_lossy();
            if text.starts_with("ANNON_") && !known.contains(&name.as_os_str()) && !FOR_TESTS.contains(&&*text) {
                warnings.push(format!("the variable {text} is no option of annon and does nothing"));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn about(flags: &[&str], variables: &[&str]) -> Vec<String> {
        let Cli { config, .. } = Cli::parse_from(std::iter::once("annon").chain(flags.iter().copied()));
        config.about_others(&variables.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_an_operator_hardly_wants_is_said_and_the_usual_is_not() {
        for (flags, part) in [
            (vec!["--trusted-proxies", "10.0.0.0/8,0.0.0.0/0"], "trusts everybody"),
            (vec!["--trusted-proxies", "::/0"], "trusts everybody"),
            (vec!["--metrics-listen", "0.0.0.0:9464"], "0.0.0.0:9464"),
            (vec!["--smtp-url", "smtp+plain://mail.example:25"], "unencrypted"),
            (vec!["--sync", "off", "--public-url", "https://annon.example"], "--sync off"),
        ] {
            let [warning] = &about(&flags, &[])[..] else { panic!("{flags:?}") };
            assert!(warning.contains(part), "{warning}");
        }
        let usual = ["--trusted-proxies", "10.0.0.0/8", "--metrics-listen", "127.0.0.1:9464", "--sync", "off"];
        assert_eq!(about(&usual, &["ANNON_LISTEN", "ANNON_SYNC", "HOME"]), [""; 0]);
        for here in ["smtp+plain://127.0.0.1:25", "smtp+plain://localhost", "smtp+plain://[::1]:2525"] {
            assert_eq!(about(&["--smtp-url", here], &[]), [""; 0], "{here}");
        }
        let [warning] = &about(&[], &["ANNON_LISTNE"])[..] else { panic!() };
        assert!(warning.contains("ANNON_LISTNE"));
    }
}
