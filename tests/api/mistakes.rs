//! Mistakes in the settings: all of them are said at once.

use crate::support::server::{Folder, annon, printed};

#[test]
fn every_mistake_is_said_at_once_and_the_settings_are_shown() {
    let folder = Folder::new();
    let (settings, variables) = (folder.file("annon.toml"), folder.file("annon.env"));
    std::fs::write(&settings, "workers = 0\nsite-name = \"Choir\"\nlog-level = \"loud\"\nlistne = 1\n").unwrap();
    std::fs::write(&variables, "nonsense\nANNON_SMTP_PASSWORD_FILE=/nowhere\n").unwrap();
    let files = ["--config", settings.to_str().unwrap(), "--env-file", variables.to_str().unwrap()];
    let more = ["--terms-file", "/nowhere/terms", "--imprint-file", "/nowhere/imprint", "--mail-from", "nobody"];
    let output = annon().arg("check-config").args(&files[..2]).args(more).output().unwrap();
    let (shown, said) = (printed(&output.stdout), printed(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(shown.lines().any(|line| line == format!("{:<24}Choir", "site-name")), "{shown}");
    for part in [
        "line 1, column",
        "line 3, column",
        "line 4, column",
        "--terms-file: /nowhere/terms",
        "--imprint-file: /nowhere",
        "--mail-from is",
    ] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    assert!(said.lines().count() == 6 && said.lines().all(|line| line.starts_with("annon: ")), "{said}");
    // Where an option needs one that is a mistake, what is typed is shown.
    let output = annon().arg("check-config").args(files).args(more).output().unwrap();
    assert!(printed(&output.stderr).contains("annon.env, line 1: it is no VARIABLE=value"), "{output:?}");
    // A start says all of them, too, and does nothing else.
    let output = annon().args(files).output().unwrap();
    let said = printed(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("line 3") && said.contains("annon.env, line 1"), "{said}");
}

/// Compose, a Quadlet and a unit set variables and flags.
#[test]
fn mistakes_in_variables_and_flags_are_said_at_once_too_and_name_the_variable() {
    let with = |arguments: &[&str]| {
        let variables = [("ANNON_PUBLIC_URL", "ftp://a.example"), ("ANNON_LISTEN", "nowhere"), ("ANNON_WORKERS", "0")];
        let command = ["--workers", "2", "--site-name=Choir", "--log-level", "loud", "--sync=perhaps"];
        annon().envs(variables).args(arguments).args(command).output().unwrap()
    };
    let output = with(&["check-config"]);
    let (shown, said) = (printed(&output.stdout), printed(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for (name, value) in [("site-name", "Choir"), ("workers", "2"), ("sync", "on"), ("listen", "127.0.0.1:8080")] {
        assert!(shown.lines().any(|line| line == format!("{name:<24}{value}")), "no {name} {value} in {shown}");
    }
    for part in [
        "annon: ANNON_PUBLIC_URL: invalid value 'ftp://a.example' for '--public-url",
        "annon: ANNON_LISTEN: invalid value 'nowhere' for '--listen",
        "annon: invalid value 'loud' for '--log-level",
        "annon: invalid value 'perhaps' for '--sync",
    ] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    assert_eq!(said.lines().count(), 4, "{said}");
    let output = with(&[]);
    let said = printed(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("ANNON_LISTEN: ") && said.contains("'loud'"), "{said}");
}
