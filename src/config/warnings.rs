//! What works, but is most likely not what the operator wants.

use std::ffi::OsString;
use std::fmt;

use clap::CommandFactory;
use clap::parser::ValueSource;

use super::{Cli, Config, MetricsListen, PublicUrl};
use crate::mail;
use crate::operator::control::last_backup;

/// Variables that are no options begin with these: they are read by tests, or by
/// what is built for tests.
pub(super) const FOR_TESTS: [&str; 1] = ["ANNON_INVARIANTS"];

/// What an operator hardly means, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What it is about, as `doctor` calls it.
    pub about: &'static str,
    pub says: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)
    }
}

impl Config {
    /// For the log at the start, for `check-config` and for `doctor`: the same for all three.
    pub fn warnings(&self) -> Vec<Warning> {
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
            ("smtp_url", &self.smtp_url, "the mail server's password", "ANNON_SMTP_URL or --smtp-password-file"),
        ] {
            let has_password = url.as_ref().is_some_and(|url| mail::has_password(url) || url.contains("password="));
            if has_password && self.is_typed(name) {
                warnings.push(settings(format!(
                    "{what} is on the command line, where ps shows it to everyone on this machine: use {file}"
                )));
            }
        }
        warnings.extend(self.about_backups());
        warnings
    }

    /// Whether an option was given on the command line.
    fn is_typed(&self, id: &str) -> bool {
        let is_in_file = self.in_file.iter().any(|other| other == id);
        self.given.value_source(id) == Some(ValueSource::CommandLine) && !is_in_file
    }

    fn about_others(&self, variables: &[OsString]) -> Vec<Warning> {
        let mut warnings = self.about_the_address();
        if self.trusted_proxies.iter().any(|range| range.prefix_len() == 0) {
            warnings.push(settings(
                "--trusted-proxies trusts everybody: each caller can claim any address, and no limit per address holds",
            ));
        }
        if let Some(MetricsListen::At(address)) = self.metrics_listen
            && !address.ip().is_loopback()
        {
            warnings.push(settings(format!(
                "--metrics-listen {address} shows figures of this server to whoever reaches it"
            )));
        }
        if self.smtp_url.as_ref().is_some_and(|url| mail::is_readable_on_the_way(url)) {
            warnings.push(settings(
                "--smtp-url sends mails, and the links in them, unencrypted to another machine: use smtp:// or smtps://",
            ));
        }
        if self.operator_mail.is_some() && self.smtp_url.is_none() {
            warnings.push(settings("--operator-mail gets nothing without --smtp-url"));
        }
        if self.push.push_service_of_tests.is_some() {
            warnings.push(settings(
                "--push-service-of-tests is for tests alone: with it whoever has an account lets this server call \
                 machines that only it can reach",
            ));
        }
        if self.is_for_others() && !self.sync {
            let says = "--sync off loses what people were told is kept, if the power fails: leave it on";
            warnings.push(Warning { about: "sync", says: says.to_owned() });
        }
        if self.is_for_others() && !self.address_limits {
            warnings.push(settings(
                "--address-limits off lets one address guess passwords and fill inboxes as fast as it can: leave it on",
            ));
        }
        warnings.extend(self.about_events().map(settings));
        let command = Cli::command();
        let known: Vec<_> = command.get_arguments().filter_map(|option| option.get_env()).collect();
        let is_unknown = |name: &&OsString| {
            let text = name.to_string_lossy();
            text.starts_with("ANNON_") && !known.contains(&name.as_os_str()) && !FOR_TESTS.contains(&&*text)
        };
        let unknown = variables.iter().filter(is_unknown).map(|name| name.to_string_lossy().into_owned());
        for name in unknown.chain(self.unknown.iter().cloned()) {
            warnings.push(settings(format!("the variable {name} is no option of annon and does nothing")));
        }
        warnings
    }

    /// Whether it is meant for others than whoever tries it on this machine.
    fn is_for_others(&self) -> bool {
        !self.listen.ip().is_loopback() || self.public_url.as_ref().is_some_and(PublicUrl::is_public)
    }

    /// About how people reach the site.
    fn about_the_address(&self) -> Vec<Warning> {
        let (has_certificate, has_proxy) = (self.tls_cert.is_some(), !self.trusted_proxies.is_empty());
        let says = match &self.public_url {
            Some(url) if url.is_https() && !has_certificate && !has_proxy => format!(
                "{} is served by a proxy that --trusted-proxies doesn't name: all visitors share one address, and its \
                 limits. Name it, as --trusted-proxies 127.0.0.1",
                url.origin()
            ),
            Some(url) if !url.is_https() && url.is_public() => format!(
                "{} is not encrypted: what people write can be read on the way. Put a proxy with TLS before it, or use \
                 --tls-cert",
                url.origin()
            ),
            None if self.listen.ip().is_unspecified() => format!(
                "--listen {} takes everybody in, and mailed links lead to {}: --public-url names the public address",
                self.listen,
                self.public_url(self.listen).origin()
            ),
            _ => return Vec::new(),
        };
        vec![Warning { about: "address", says }]
    }

    fn about_events(&self) -> Option<String> {
        let Some(file) = self.events.file() else {
            let is_alone = self.events.event_log_addresses;
            return is_alone
                .then(|| "--event-log-addresses does nothing without --event-log, which names a file".to_owned());
        };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
        Some(format!("--event-log: there is no folder {}: make it, for the server's user", folder.display()))
    }

    /// Of a folder that a server has used.
    fn about_backups(&self) -> Option<Warning> {
        let is_used = ["secret", "control.sock"].iter().any(|name| self.data_dir.join(name).exists());
        (is_used && last_backup(&self.data_dir).is_none()).then(|| Warning {
            about: "backup",
            says: "there is no backup yet: `annon backup FILE`, and annon-backup.timer for one every night".to_owned(),
        })
    }
}

fn settings(says: impl Into<String>) -> Warning {
    Warning { about: "settings", says: says.into() }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn about(flags: &[&str], variables: &[&str]) -> Vec<Warning> {
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
            (vec!["--sync", "off", "--listen", "192.0.2.1:80"], "--sync off"),
            (vec!["--address-limits", "off", "--listen", "192.0.2.1:80"], "--address-limits off"),
            (vec!["--public-url", "https://annon.example"], "--trusted-proxies 127.0.0.1"),
            (vec!["--public-url", "http://annon.example"], "not encrypted"),
            (vec!["--public-url", "http://192.0.2.1:8080"], "not encrypted"),
            (vec!["--listen", "0.0.0.0:8080"], "--public-url names"),
            (vec!["--listen", "[::]:8080"], "--public-url names"),
            (vec!["--event-log-addresses", "on"], "without --event-log"),
            (vec!["--event-log", "/nowhere/at/all"], "there is no folder /nowhere/at: make it"),
        ] {
            let [warning] = &about(&flags, &[])[..] else { panic!("{flags:?}: {:?}", about(&flags, &[])) };
            assert!(warning.says.contains(part), "{warning}");
        }
        for usual in [
            &["--public-url", "https://annon.example", "--trusted-proxies", "127.0.0.1", "--listen", "0.0.0.0:8080"][..],
            &["--public-url", "http://localhost:8080", "--address-limits", "off"],
            &["--public-url", "http://127.0.0.1:8080", "--sync", "off"],
            &["--public-url", "http://192.168.1.2", "--event-log", "events.log"],
        ] {
            assert_eq!(about(usual, &[]), [], "{usual:?}");
        }
        let usual = ["--trusted-proxies", "10.0.0.0/8", "--metrics-listen", "127.0.0.1:9464", "--sync", "off"];
        assert_eq!(about(&usual, &["ANNON_LISTEN", "ANNON_SYNC", "HOME"]), []);
        for here in ["smtp+plain://127.0.0.1:25", "smtp+plain://localhost", "smtp+plain://[::1]:2525"] {
            assert_eq!(about(&["--smtp-url", here], &[]), [], "{here}");
        }
        let [warning] = &about(&[], &["ANNON_LISTNE"])[..] else { panic!() };
        assert!(warning.says.contains("ANNON_LISTNE"));
    }
}
