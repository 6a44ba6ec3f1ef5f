#!/usr/bin/env bash
# Makes the image `annon` from the Dockerfile and the binary of `make static`, with podman, buildah or
# docker, whichever is there (or ENGINE). PLATFORMS=linux/amd64,linux/arm64 makes one for each of these machines;
# podman and buildah name the list of them annon:all. Flags are handed on to it.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ENGINE:-}
for one in podman buildah docker; do
    [ -n "$engine" ] || ! command -v $one >/dev/null || engine=$one
done
[ -n "$engine" ] || { echo "install podman, buildah or docker first" >&2; exit 1; }
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
names=(--tag "annon:$version" --tag annon)
flags=()
[ -z "${PLATFORMS:-}" ] || flags+=(--platform "$PLATFORMS")
if [ "$engine" != docker ]; then
    case $(uname -m) in x86_64) here=amd64 ;; aarch64) here=arm64 ;; *) here=$(uname -m) ;; esac
    # Otherwise they make an image of a kind that has no health checks. Old ones don't say where they build.
    flags+=(--format docker --build-arg "BUILDPLATFORM=linux/$here")
    if [ -n "${PLATFORMS:-}" ]; then
        names=(--manifest localhost/annon:all)
        # What is in the list of an earlier build would stay there.
        # shellcheck disable=SC2086 # ENGINE may have flags of its own
        $engine manifest rm localhost/annon:all >/dev/null 2>&1 || true
    fi
fi
# shellcheck disable=SC2086 # as above
$engine build "${flags[@]}" --build-arg BINARY=ready "${names[@]}" "$@" .
