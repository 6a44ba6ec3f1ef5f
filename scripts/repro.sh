#!/usr/bin/env bash
# Builds the web app and the static binary twice, each time from the tracked files in a new folder, and
# says whether they are the same, byte by byte. TARGETS names another machine than this one. With
# CARGO_TARGET_DIR both share a folder, in which crates that aren't ours are compiled once: quick, and
# says less.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=${TARGETS:-$(uname -m)-unknown-linux-musl}
both=$(mktemp -d /tmp/annon-repro-XXXXXX)
trap 'rm -rf "$both"' EXIT
mkdir -p target/tools
for folder in "$both/a" "$both/another/with-a-longer-name"; do
    mkdir -p "$folder/target"
    git ls-files -z | tar --create --null --files-from=- | tar --extract --directory="$folder"
    # The linker's version is a part of what is built from; where it lies is not.
    ln -s "$PWD/target/tools" "$folder/target/tools"
    (
        cd "$folder/web"
        npm ci --no-audit --no-fund --silent
        npm run --silent build
        cd ..
        CARGO_INCREMENTAL=0 TARGETS=$targets bash scripts/static.sh
    ) >"$both/log" 2>&1 || { tail -n 40 "$both/log" >&2; exit 1; }
    (cd "$folder" && sha256sum web/dist/index.html target/static/annon-*) | tee -a "$both/digests"
done
[ "$(sort -u "$both/digests" | wc -l)" -eq $(($(wc -l <"$both/digests") / 2)) ] || {
    diff --recursive --brief "$both/a/web/dist" "$both/another/with-a-longer-name/web/dist" || true
    echo "the two builds differ" >&2
    exit 1
}
echo "both builds are the same"
