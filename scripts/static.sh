#!/usr/bin/env bash
# Builds the binary as one file that needs nothing of its system, for x86-64 and for arm64, in target/static.
# Zig compiles and links what isn't Rust, because it has musl for both. TARGETS names one of them.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/target/tools/zig
if [ ! -x "$tools/bin/cargo-zigbuild" ]; then
    /usr/bin/python3 -c 'import ensurepip' 2>/dev/null || bash scripts/apt_install.sh python3-venv
    /usr/bin/python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check ziglang==0.17.1 cargo-zigbuild==0.24.1
fi
mkdir -p target/static
for target in ${TARGETS:-x86_64-unknown-linux-musl aarch64-unknown-linux-musl}; do
    rustup target add "$target" 2>/dev/null
    # The pages of memory have 4 KiB on x86-64 and up to 64 on arm64, and jemalloc has to know it when it is built.
    page=12 name=amd64
    [[ $target == x86_64-* ]] || page=16 name=arm64
    PATH=$tools/bin:$PATH JEMALLOC_SYS_WITH_LG_PAGE=$page cargo zigbuild --release --locked --bin annon --target "$target"
    install "${CARGO_TARGET_DIR:-target}/$target/release/annon" "target/static/annon-$name"
done
ls -l target/static/annon-*
