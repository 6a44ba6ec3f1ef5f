//! Flags and environment variables: what they set, and which are refused.

use crate::support::certificate::certify;
use crate::support::patience::wait_until;
use crate::support::server::{Folder, Server, annon, printed, refusal};

#[test]
fn a_variable_does_what_its_flag_does_and_a_flag_wins() {
    let check = |flags: &[&str]| {
        let output = annon()
            .env("ANNON_PUBLIC_URL", "https://from.variable")
            .env("ANNON_TRUSTED_PROXIES", "10.0.0.0/8,::1")
            .env("ANNON_SMTP_URL", "smtp://user:hunter2@mail.example")
            .arg("check-config")
            .args(flags)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        printed(&output.stdout)
    };
    let text = check(&[]);
    let has = |text: &str, name: &str, value: &str| {
        assert!(text.lines().any(|line| line == format!("{name:<24}{value}")), "no {name} {value} in {text}");
    };
    has(&text, "public-url", "https://from.variable");
    has(&text, "trusted-proxies", "10.0.0.0/8,::1");
    has(&text, "address-limits", "on");
    has(&text, "pictures-mb", "1/4 of the disk");
    assert!(text.contains("by SMTP") && !text.contains("hunter2"), "{text}");
    assert!(text.ends_with("the configuration is in order\n"), "{text}");
    has(&check(&["--public-url", "https://from.flag"]), "public-url", "https://from.flag");
    let help = annon().env("ANNON_SMTP_URL", "smtp://user:hunter2@mail.example").arg("--help").output().unwrap();
    assert!(!printed(&help.stdout).contains("hunter2"));
}

#[test]
fn a_setting_of_the_file_does_what_its_flag_does_and_flags_and_variables_win() {
    let folder = Folder::new();
    let file = folder.file("annon.toml");
    let text = "public-url = \"https://from.file\"\nlisten = \"127.0.0.1:81\"\nsends-per-second = 3\n\
         smtp-url = \"smtp://user:hunter2@mail.example\"\ntrusted-proxies = [\"10.0.0.0/8\", \"::1\"]\n";
    std::fs::write(&file, text).unwrap();
    let mut command = annon();
    command.env("ANNON_CONFIG", &file).env("ANNON_LISTEN", "127.0.0.1:82");
    let output = command.args(["check-config", "--sends-per-second", "4"]).output().unwrap();
    let text = printed(&output.stdout);
    assert!(output.status.success() && !text.contains("hunter2") && !text.contains("warning"), "{output:?}");
    for (name, value) in [
        ("public-url", "https://from.file"),
        ("listen", "127.0.0.1:82"),
        ("sends-per-second", "4"),
        ("trusted-proxies", "10.0.0.0/8,::1"),
    ] {
        assert!(text.lines().any(|line| line == format!("{name:<24}{value}")), "no {name} {value} in {text}");
    }
    std::fs::write(&file, "address-limits = \"off\"\ndata-dir =\n").unwrap();
    for command in [&["check-config", "--config", file.to_str().unwrap()][..], &["--config", "/nowhere"]] {
        let output = annon().args(command).output().unwrap();
        assert!(!output.status.success(), "{output:?}");
        let text = printed(&output.stderr);
        assert!(text.contains("annon.toml, line 2, column 1") || text.contains("can't read /nowhere"), "{text}");
    }
}

/// What systemd gives the service, `check-config` has to be told.
#[test]
fn a_file_of_variables_wins_over_settings_and_is_won_over_by_variables() {
    let folder = Folder::new();
    let (settings, variables) = (folder.file("annon.toml"), folder.file("annon.env"));
    std::fs::write(&settings, "listen = \"127.0.0.1:81\"\nsends-per-second = 3\nworkers = 2\n").unwrap();
    let text = format!(
        "# What only root may read\nANNON_CONFIG={}\nANNON_LISTEN=\"127.0.0.1:83\"\nANNON_WORKERS=3\n\
         ANNON_SMTP_URL=smtp://user:hunter2@mail.example\nLANG=C\n",
        settings.display()
    );
    std::fs::write(&variables, text).unwrap();
    let check = |more: &[&str]| {
        let mut command = annon();
        command.env("ANNON_WORKERS", "4").args(["check-config", "--env-file", variables.to_str().unwrap()]);
        command.args(more).output().unwrap()
    };
    let output = check(&[]);
    let text = printed(&output.stdout);
    assert!(output.status.success() && !text.contains("hunter2") && !text.contains("warning"), "{output:?}");
    for (name, value) in [("listen", "127.0.0.1:83"), ("sends-per-second", "3"), ("workers", "4"), ("mail", "by SMTP")]
    {
        assert!(text.lines().any(|line| line == format!("{name:<24}{value}")), "no {name} {value} in {text}");
    }
    assert!(printed(&check(&["--listen", "127.0.0.1:84"]).stdout).contains("127.0.0.1:84"));
    std::fs::write(&variables, "ANNON_LISTNE=1\n").unwrap();
    let output = check(&[]);
    // As where the variable is in the environment.
    let warned = "warning: the variable ANNON_LISTNE is no option of annon and does nothing\n";
    assert!(output.status.success() && printed(&output.stdout).contains(warned), "{output:?}");
}

#[test]
fn the_level_of_the_log_changes_at_a_signal_and_a_broken_file_changes_nothing() {
    let folder = Folder::new();
    let file = folder.file("annon.toml");
    std::fs::write(&file, "# Nothing yet\n").unwrap();
    let server = Server::on(&folder, &["--config", file.to_str().unwrap()]);
    let answered = || {
        let before = server.log.count("answered");
        server.get("/healthz").send().assert(200, "alive");
        before
    };
    assert_eq!(answered(), 0);
    std::fs::write(&file, "log-level = \"debug\"\n").unwrap();
    server.signal(rustix::process::Signal::HUP);
    assert_eq!(server.log.wait_for("the log has another level now").unwrap()["level"], "debug");
    answered();
    assert!(server.log.wait_for("answered").is_some());
    std::fs::write(&file, "log-level = \"loud\"\n").unwrap();
    server.signal(rustix::process::Signal::HUP);
    let line = server.log.wait_for("the log's level stays as it was read before").unwrap();
    assert!(line["why"].as_str().unwrap().contains("annon.toml, line 1, column 13"), "{line}");
    let before = answered();
    wait_until("the line of another call", || server.log.count("answered") > before);
}

#[test]
fn the_file_that_is_handed_out_is_in_order() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/annon.toml")).unwrap();
    let folder = Folder::new();
    let file = folder.file("annon.toml");
    // Every setting that it shows, but for those of files that have to be there.
    let shown = text.lines().filter_map(|line| line.strip_prefix('#'));
    let settings: Vec<_> = shown.filter(|line| line.contains(" = ") && !line.contains("/etc/")).collect();
    std::fs::write(&file, settings.join("\n").replace("user@mail", "mail")).unwrap();
    let output = annon().args(["check-config", "--config", file.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success() && settings.len() == 18, "{output:?}");
}

#[test]
fn the_configuration_says_whether_what_is_deleted_is_gone_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (data_dir, says) in [(folder.path(), "overwritten in place"), ("/proc/1".as_ref(), "DELETED MAY NOT BE GONE")] {
        let output = annon().arg("check-config").arg("--data-dir").arg(data_dir).output().unwrap();
        let text = printed(&output.stdout);
        assert!(text.lines().any(|line| line.starts_with("erasing ") && line.contains(says)), "{text}");
    }
}

#[test]
fn a_mail_password_on_the_command_line_is_warned_of_and_one_in_a_file_or_variable_is_not() {
    let folder = Folder::new();
    let file = folder.file("password");
    std::fs::write(&file, "hunter2\n").unwrap();
    let file = file.to_str().unwrap();
    let check = |url: Option<&str>, flags: &[&str]| {
        let mut command = annon();
        url.map(|url| command.env("ANNON_SMTP_URL", url));
        let output = command.arg("check-config").args(flags).output().unwrap();
        let text = printed(&output.stdout) + &printed(&output.stderr);
        assert!(!text.contains("hunter2"), "{text}");
        (output.status.success(), text)
    };
    const WITH: &str = "smtp://user:hunter2@mail.example";
    const WITHOUT: &str = "smtp://user@mail.example";
    for (url, flags, warned) in [
        (None, &["--smtp-url", WITH][..], true),
        (Some(WITH), &[], false),
        (None, &["--smtp-url", WITHOUT], false),
        (None, &["--smtp-url", WITHOUT, "--smtp-password-file", file], false),
        (Some(WITHOUT), &["--smtp-password-file", file], false),
    ] {
        let (is_in_order, text) = check(url, flags);
        assert!(is_in_order, "{text}");
        assert_eq!(text.contains("warning: the mail server's password is on the command line"), warned, "{text}");
    }
    for (flags, message) in [
        (&["--smtp-url", WITH, "--smtp-password-file", file][..], "--smtp-url has a password in it"),
        (&["--smtp-url", "smtp://mail.example", "--smtp-password-file", file], "needs a user"),
        (&["--smtp-url", WITHOUT, "--smtp-password-file", "/nowhere"], "can't read the mail server's password"),
    ] {
        let (is_in_order, text) = check(None, flags);
        assert!(!is_in_order && text.contains(message), "{text}");
    }
}

#[test]
fn what_can_not_be_meant_is_refused_with_the_flag_named() {
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--listen", "127.0.0.1"),
        ("--listen", "127.0.0.1:99999"),
        ("--public-url", "annon.example"),
        ("--public-url", "https://annon.example/path"),
        ("--public-url", "javascript:alert(1)"),
        ("--workers", "0"),
        ("--trusted-proxies", "10.0.0.0/33"),
        ("--trusted-proxies", "everybody"),
        ("--sync", "maybe"),
        ("--commit-pause-ms", "-1"),
        ("--commit-pause-ms", "1001"),
        ("--room-lifetime-hours", "0"),
        ("--log-format", "xml"),
        ("--log-level", "trace"),
        ("--metrics-listen", "on"),
        ("--metrics-listen", "9464"),
    ] {
        // A check goes on, and fails in the end.
        for (command, code) in [(&["check-config"][..], 1), (&[], 2)] {
            let output = annon().args(command).args([&format!("{flag}={value}")]).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{flag}={value}: {output:?}");
            let text = printed(&output.stderr);
            assert!(text.contains(flag), "{text}");
        }
    }
    assert_eq!(annon().arg("nonsense").output().unwrap().status.code(), Some(2));
}

#[test]
fn what_is_hardly_meant_is_warned_of_before_the_start_and_at_it() {
    const PROXIES: &[&str] = &["--trusted-proxies", "0.0.0.0/0"];
    let output = annon().env("ANNON_LISTNE", "0.0.0.0:80").arg("check-config").args(PROXIES).output().unwrap();
    let text = printed(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for part in ["warning: --trusted-proxies trusts everybody", "warning: the variable ANNON_LISTNE is no option"] {
        assert!(text.contains(part), "{text}");
    }
    let server = Server::with(PROXIES);
    assert!(server.log.lines().iter().any(|line| line.contains("--trusted-proxies trusts everybody")));
    // The same is said before the start, at it, and when a doctor looks.
    let folder = Folder::new();
    let behind = ["--public-url", "https://annon.example", "--event-log-addresses", "on"];
    let server = Server::on(&folder, &behind);
    let before = annon().arg("check-config").args(behind).arg("--data-dir").arg(folder.data()).output().unwrap();
    let looked = folder.annon(&[&["doctor"], &behind[..]].concat());
    for part in ["--trusted-proxies 127.0.0.1", "does nothing without --event-log", "there is no backup yet"] {
        let warned = format!("{}{}", printed(&before.stdout), printed(&before.stderr));
        assert!(warned.lines().any(|line| line.starts_with("warning: ") && line.contains(part)), "{part}: {warned}");
        let looked = printed(&looked.stdout);
        assert!(looked.lines().any(|line| line.starts_with("wrong ") && line.contains(part)), "{part}: {looked}");
    }
    let started = server.log.lines().join("\n");
    assert!(started.contains("--trusted-proxies 127.0.0.1") && !started.contains("no backup"), "{started}");
}

#[test]
fn a_data_folder_that_can_not_be_is_not_in_order() {
    let folder = Folder::new();
    std::fs::write(folder.file("taken"), "a file").unwrap();
    for (data_dir, is_in_order) in [("new", true), ("new/and/deeper", true), ("taken", false), ("taken/below", false)] {
        let output = annon().arg("check-config").arg("--data-dir").arg(folder.file(data_dir)).output().unwrap();
        assert_eq!(output.status.success(), is_in_order, "{data_dir}: {output:?}");
        assert_eq!(printed(&output.stderr).contains("is a file"), !is_in_order, "{data_dir}");
    }
}

#[test]
fn a_commands_help_is_about_the_command() {
    let help = |arguments: &[&str]| printed(&annon().args(arguments).arg("--help").output().unwrap().stdout);
    let of_user = help(&["user", "delete"]);
    assert!(of_user.contains("--data-dir") && !of_user.contains("--smtp-url"), "{of_user}");
    for whole in [help(&[]), help(&["check-config"])] {
        assert!(whole.contains("--smtp-url") && !whole.to_lowercase().contains("possible values"), "{whole}");
    }
    for (command, has, has_not) in [
        (&["stats"][..], &["--data-dir", "--config", "--env-file"][..], &["--listen", "--database-url"][..]),
        (&["user", "list"], &["--data-dir", "--config"], &["--listen"]),
        (&["nodes"], &["--database-url", "--keys-url", "--secret-file", "--config"], &["--listen", "--data-dir"]),
        (&["migrate"], &["--database-url", "--secret-file", "--env-file"], &["--listen", "--data-dir"]),
        (&["healthcheck"], &["--listen", "--tls-cert", "--config"], &["--data-dir", "--smtp-url"]),
        (&["doctor"], &["--listen", "--smtp-url", "--data-dir"], &[]),
        (&["completions"], &[], &["--listen", "--data-dir", "--config"]),
        (&["man"], &[], &["--listen", "--data-dir", "--config"]),
        (&["sbom"], &[], &["--listen", "--data-dir", "--config"]),
    ] {
        let shown = help(command);
        assert!(has.iter().all(|option| shown.contains(option)), "{command:?}: {shown}");
        assert!(!has_not.iter().any(|option| shown.contains(option)), "{command:?}: {shown}");
    }
    let short = printed(&annon().arg("-h").output().unwrap().stdout);
    for heading in
        ["How it is reached:", "Where the data is:", "Mail:", "Several servers on PostgreSQL:", "What is logged:"]
    {
        assert!(short.lines().any(|line| line == heading), "no {heading} in {short}");
    }
    // What isn't listed works: a script may give the same flags to each command.
    let output = annon().args(["healthcheck", "--sync", "off", "--listen", "127.0.0.1:1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_folder_that_can_not_be_used_is_refused_in_a_sentence() {
    let folder = Folder::new();
    std::fs::write(folder.data(), "a file where the folder should be").unwrap();
    let (code, text) = refusal(&folder, &[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("can't use "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn lines_that_go_into_a_file_have_no_colours() {
    let folder = Folder::new();
    std::fs::write(folder.data(), "a file where the folder should be").unwrap();
    let output = annon().arg("--data-dir").arg(folder.data()).args(["--listen", "127.0.0.1:0"]).output().unwrap();
    let text = printed(&output.stderr);
    assert!(text.contains("ERROR") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn the_health_check_tells_a_ready_server_from_none() {
    let server = Server::start();
    let check = |address: &str| annon().args(["healthcheck", "--listen", address]).output().unwrap();
    let output = check(&server.address.to_string());
    assert_eq!((output.status.code(), printed(&output.stdout).as_str()), (Some(0), "ready\n"));
    let output = check(&format!("0.0.0.0:{}", server.address.port()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let address = server.address.to_string();
    drop(server);
    let output = check(&address);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output.stderr).starts_with("annon: not ready"), "{output:?}");
}

#[test]
fn the_health_check_says_what_it_lacks_for_a_server_with_tls() {
    let folder = Folder::new();
    let (chain, key) = certify(&folder, "server");
    let server = Server::on(&folder, &["--tls-cert", &chain, "--tls-key", &key]);
    let output = annon().args(["healthcheck", "--listen", &server.address.to_string()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output.stderr).contains("with TLS it needs --tls-cert"), "{output:?}");
}

#[test]
fn the_settings_that_are_printed_stand_apart_from_their_names() {
    let output = annon().arg("check-config").output().unwrap();
    for line in printed(&output.stdout).lines() {
        let name = line.split(' ').next().unwrap_or_default();
        assert!(!name.ends_with("none"), "{line}");
    }
}

#[test]
fn what_a_community_has_chosen_is_checked_before_a_start() {
    let folder = Folder::new();
    let large = folder.file("large.txt");
    std::fs::write(&large, "x".repeat(33 * 1024)).unwrap();
    for (flags, sentence) in [
        (["--terms-file", "/nowhere"], "--terms-file: /nowhere: No such file"),
        (["--privacy-file", large.to_str().unwrap()], "it has more than 32 kB"),
        (["--site-colour", "#1d1836"], "dark text can hardly be read on it: choose a lighter colour"),
        (["--site-colour", "#ffffff"], "choose a darker colour"),
        (["--site-contact", "http://plain.example"], "it has to be a mail address or begin with https://"),
        (["--sign-up", "maybe"], "invalid value 'maybe'"),
    ] {
        let output = annon().arg("check-config").args(flags).output().unwrap();
        let text = printed(&output.stderr);
        assert!(!output.status.success() && text.contains(sentence), "{flags:?}: {text}");
        let (code, text) = refusal(&folder, &flags);
        assert!(code != Some(0) && text.contains(sentence), "{flags:?}: {text}");
    }
}
