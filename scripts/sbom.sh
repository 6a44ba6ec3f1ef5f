#!/usr/bin/env bash
# Lists every crate and package in the binary, of both lockfiles, in target/sbom.cdx.json (CycloneDX 1.5).
set -euo pipefail
cd "$(dirname "$0")/.."
command -v jq >/dev/null || bash scripts/apt_install.sh jq >&2
tools=$PWD/target/tools
[ -x "$tools/bin/cargo-cyclonedx" ] ||
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/build" cargo-cyclonedx@0.5.9

# The tool writes beside each Cargo.toml, so it gets a copy of them.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files '*.rs' '*Cargo.toml' Cargo.lock rust-toolchain.toml | tar --create --files-from=- | tar --extract --directory="$copy"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
PATH=$tools/bin:$PATH cargo cyclonedx --quiet --manifest-path "$copy/Cargo.toml" --format json --spec-version 1.5 \
    --override-filename crates --no-build-deps
(cd web && npm sbom --sbom-format cyclonedx --package-lock-only --omit dev) > "$copy/packages.json"

# One list: the binary, its crates, and the packages that the web app in it has.
mkdir -p target
jq --slurpfile web "$copy/packages.json" '
    $web[0] as $web
    | .components += [$web.metadata.component] + $web.components
    | .dependencies += $web.dependencies
    | (.metadata.component."bom-ref") as $binary
    | (.dependencies[] | select(.ref == $binary) | .dependsOn) += [$web.metadata.component."bom-ref"]
    ' "$copy/crates.json" | sed "s|file://$copy|file:///annon|g" > target/sbom.cdx.json
jq -r '"\(.components | length) crates and packages in target/sbom.cdx.json"' target/sbom.cdx.json
