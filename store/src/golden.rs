//! The files in `golden/`: bytes that were written once and must be readable
//! for as long as anybody may have such bytes on a disk.

use std::fs;
use std::path::Path;

/// The committed bytes of that name. Where there is no such file yet it is
/// written, so that a new form needs no hand-made hex.
pub(crate) fn committed(name: &str, today: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.hex"));
    if !path.exists() {
        assert!(std::env::var_os("CI").is_none(), "golden/{name}.hex is not committed");
        let hex: String = today().iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(&path, format!("{hex}\n")).unwrap();
    }
    let hex = fs::read_to_string(path).unwrap();
    let digits: Vec<_> = hex.trim().chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}
