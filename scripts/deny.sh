#!/usr/bin/env bash
# Looks at every crate: its licence, where it comes from, and whether deny.toml forbids it. Known
# holes are looked up if the list of them can be reached.
set -euo pipefail
cd "$(dirname "$0")/.."
# Outside of the clone, as the other tools that this machine can keep.
tool=cargo-deny@0.20.2
tools=${XDG_CACHE_HOME:-$HOME/.cache}/annon/$tool
[ -x "$tools/bin/cargo-deny" ] || {
    cargo install --quiet --debug --locked --no-default-features --root "$tools" --target-dir "$tools/build" "$tool"
    rm -rf "$tools/build"
}
PATH=$tools/bin:$PATH
cargo deny --log-level error check licenses bans sources
if timeout 20 git ls-remote --quiet https://github.com/RustSec/advisory-db HEAD >/dev/null 2>&1; then
    cargo deny --log-level error check advisories
else
    echo "the list of known holes can't be reached: crates weren't looked up in it"
fi
