//! Every promise in docs/SECURITY.md and docs/PROOF.md names the test that shows it. Each named test
//! must exist.

use std::fs;
use std::path::Path;

/// What stands between backticks and looks like a test: `file::name`, or a file of tests.
fn named_tests(page: &str) -> Vec<(&str, Option<&str>)> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_test_file = |path: &str| path.contains('/') && path.split_once('.').is_some_and(|(_, end)| !end.is_empty());
    quoted
        .filter_map(|quoted| match quoted.split_once("::") {
            Some((file, name)) => Some((file, Some(name))),
            None => is_test_file(quoted).then_some((quoted, None)),
        })
        .collect()
}

#[test]
fn every_test_that_a_page_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["SECURITY", "PROOF"].map(|name| fs::read_to_string(root.join(format!("docs/{name}.md"))).unwrap());
    let [attacks, promises] = [0, 1].map(|n| named_tests(&pages[n]));
    assert!(attacks.len() > 40 && promises.len() > 20, "{} and {}", attacks.len(), promises.len());
    let named = [attacks, promises].concat();
    let missing: Vec<_> = named
        .into_iter()
        .filter(|(file, name)| match fs::read_to_string(root.join(file)) {
            // A test in a browser is named by a sentence.
            Ok(source) => name.is_some_and(|name| {
                let declared = if name.contains(' ') { name.to_owned() } else { format!("fn {name}(") };
                !source.contains(&declared)
            }),
            Err(_) => true,
        })
        .collect();
    assert!(missing.is_empty(), "these are named on a page and not there: {missing:#?}");
}
