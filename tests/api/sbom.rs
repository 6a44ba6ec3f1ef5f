//! The list of what is in the binary.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::operator::done;
use crate::support::server::Folder;

/// The lockfiles are asked what they say of each; that the list is whole is compared by `make sbom`.
#[test]
fn the_binary_lists_what_is_in_it() {
    let list: Value = serde_json::from_str(&done(&Folder::new(), &["sbom"])).unwrap();
    assert_eq!((&list["bomFormat"], &list["specVersion"]), (&json!("CycloneDX"), &json!("1.5")));
    assert_eq!(list["metadata"]["component"]["purl"], concat!("pkg:cargo/annon@", env!("CARGO_PKG_VERSION")));
    let crates = include_str!("../../Cargo.lock");
    let packages = include_str!("../../web/package-lock.json");
    let mut names = BTreeSet::new();
    for one in list["components"].as_array().unwrap() {
        let text = |of: &str| one[of].as_str().unwrap();
        let (name, version, address) = (text("name"), text("version"), text("purl"));
        assert!(one["licenses"][0]["expression"].as_str().unwrap().len() > 2, "{one}");
        let digest = one["hashes"][0]["content"].as_str();
        if address.starts_with("pkg:cargo/") {
            let locked = format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
            let entry = crates.split_once(&locked).unwrap_or_else(|| panic!("{one}")).1.split("\n\n").next().unwrap();
            let locked = entry.lines().find_map(|line| line.strip_prefix("checksum = ")?.split('"').nth(1));
            assert_eq!(locked, digest, "{one}");
        } else {
            assert_eq!(address, format!("pkg:npm/{}@{version}", name.replace('@', "%40")));
            assert!(packages.contains(&format!("\"node_modules/{name}\"")), "{one}");
            assert_eq!(digest.unwrap().len(), 128, "{one}");
        }
        assert!(names.insert(address), "{address} is there twice");
    }
    let has = |name: &str| names.iter().any(|one| one.contains(&format!("/{name}@")));
    for linked in
        ["sled", "tokio-postgres", "aws-lc-sys", "tikv-jemalloc-sys", "annon-store", "hyper", "react", "virtua"]
    {
        assert!(has(linked), "{linked} is in the binary");
    }
    for elsewhere in
        ["proptest", "serde_derive", "cc", "tokio-tungstenite", "windows-sys", "vite", "typescript", "csstype"]
    {
        assert!(!has(elsewhere), "{elsewhere} only builds it, or tests it, or isn't for this system");
    }
}
