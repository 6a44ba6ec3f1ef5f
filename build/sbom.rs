//! The list of what is in the binary (CycloneDX), which `annon sbom` prints:
//! the crates that are linked on this target, without those that only build or
//! test, and the packages of the web app. It names no time and no folder, so
//! that two builds write the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// The list, as its file has it.
pub(crate) fn list(root: &Path) -> Result<String, String> {
    let mut components = crates(root)?;
    let binary = components.iter().position(|one| one["name"] == env!("CARGO_PKG_NAME"));
    let mut binary = components.remove(binary.ok_or("cargo tree doesn't name the package that is built.")?);
    binary["type"] = "application".into();
    components.extend(packages(root)?);
    let whole = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": binary },
        "components": components,
    });
    serde_json::to_string_pretty(&whole).map_err(|error| error.to_string())
}

/// What cargo links on this target, with the digests of the lockfile.
fn crates(root: &Path) -> Result<Vec<Value>, String> {
    let var = |name: &str| env::var(name).map_err(|_| format!("{name} is set by cargo, and isn't."));
    let lock = read(root, "Cargo.lock")?;
    let mut digests = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let field = |name: &str| entry.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('"'));
        if let (Some(name), Some(version), Some(digest)) =
            (field("name = \""), field("version = \""), field("checksum = \""))
        {
            digests.insert((name, version), digest);
        }
    }
    let tree = Command::new(var("CARGO")?)
        .current_dir(root)
        .args(["tree", "--quiet", "--locked", "--offline", "--package", env!("CARGO_PKG_NAME")])
        .args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe", "--format", "{p} |{l}"])
        .args(["--target", &var("TARGET")?])
        .output()
        .map_err(|error| format!("cargo tree: {error}."))?;
    if !tree.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&tree.stderr)));
    }
    let tree = String::from_utf8_lossy(&tree.stdout);
    // A crate is there once for each that needs it.
    let lines: BTreeSet<_> = tree.lines().collect();
    let mut all = Vec::new();
    for line in lines {
        let odd = || format!("cargo tree: {line} is not a crate.");
        let (package, license) = line.split_once(" |").ok_or_else(odd)?;
        let (name, version) = package.split_once(" v").ok_or_else(odd)?;
        // The folder of a crate of ours follows.
        let version = version.split(' ').next().unwrap_or(version);
        let digest = digests.get(&(name, version)).map(|digest| ("SHA-256", (*digest).to_owned()));
        // The older way to write it is no expression.
        let license = license.replace(" / ", " OR ").replace('/', " OR ");
        all.push(component(&format!("pkg:cargo/{name}@{version}"), name, version, &license, digest));
    }
    Ok(all)
}

/// What the web app is made of, without what only builds or tests it.
fn packages(root: &Path) -> Result<Vec<Value>, String> {
    let wrong = |what: &str| format!("web/package-lock.json: {what}.");
    let lock: Value =
        serde_json::from_str(&read(root, "web/package-lock.json")?).map_err(|error| wrong(&error.to_string()))?;
    let mut all = Vec::new();
    for (folder, package) in lock["packages"].as_object().ok_or_else(|| wrong("it has no packages"))? {
        let only = |kind: &str| package[kind] == true;
        let Some((_, name)) = folder.rsplit_once("node_modules/") else { continue };
        if only("dev") || only("devOptional") || only("optional") {
            continue;
        }
        let text = |of: &str| package[of].as_str().ok_or_else(|| wrong(&format!("{name} has no {of}")));
        let version = text("version")?;
        let digest = BASE64_STANDARD
            .decode(text("integrity")?.trim_start_matches("sha512-"))
            .map_err(|error| wrong(&error.to_string()))?;
        let mut hex = String::new();
        for byte in digest {
            let _ = write!(hex, "{byte:02x}");
        }
        let address = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        all.push(component(&address, name, version, text("license")?, Some(("SHA-512", hex))));
    }
    Ok(all)
}

fn component(address: &str, name: &str, version: &str, license: &str, digest: Option<(&str, String)>) -> Value {
    let mut whole = json!({
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "licenses": [{ "expression": license }],
        "purl": address,
    });
    if let Some((algorithm, digest)) = digest {
        whole["hashes"] = json!([{ "alg": algorithm, "content": digest }]);
    }
    whole
}

fn read(root: &Path, file: &str) -> Result<String, String> {
    println!("cargo::rerun-if-changed={file}");
    fs::read_to_string(root.join(file)).map_err(|error| format!("{file} can't be read: {error}."))
}
