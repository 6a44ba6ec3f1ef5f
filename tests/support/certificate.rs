//! Certificates for servers of the tests, made by `openssl`.

use std::process::{Command, Stdio};

use crate::support::server::Folder;

/// A self-signed certificate for this machine, and its key.
pub(crate) fn certify(folder: &Folder, name: &str) -> (String, String) {
    certify_for(folder, name, "IP:127.0.0.1")
}

/// A self-signed certificate for another name, such as `DNS:localhost`, and its key.
pub(crate) fn certify_for(folder: &Folder, name: &str, whom: &str) -> (String, String) {
    let path = |kind: &str| folder.file(&format!("{name}.{kind}")).to_str().unwrap().to_owned();
    let (certificate, key) = (path("crt"), path("key"));
    let status = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", &format!("subjectAltName={whom}")])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-out", &certificate, "-keyout", &key])
        .stderr(Stdio::null())
        .status()
        .expect("openssl is needed here");
    assert!(status.success());
    (certificate, key)
}
