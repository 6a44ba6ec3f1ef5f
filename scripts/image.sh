#!/usr/bin/env bash
# Makes the image `annon` from the Dockerfile and the binary of `make static`, with podman, buildah or
# docker, whichever is there (or ENGINE). Flags are handed on to it.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ENGINE:-}
for one in podman buildah docker; do
    [ -n "$engine" ] || ! command -v $one >/dev/null || engine=$one
done
[ -n "$engine" ] || { echo "install podman, buildah or docker first" >&2; exit 1; }
format=()
# Otherwise they make an image of a kind that has no health checks.
[ "$engine" = docker ] || format=(--format docker)
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# shellcheck disable=SC2086 # ENGINE may have flags of its own
$engine build "${format[@]}" --build-arg BINARY=ready --tag "annon:$version" --tag annon "$@" .
