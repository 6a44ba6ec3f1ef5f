#!/usr/bin/env bash
# Runs the server's tests and the browser's tests at the same time, because both mostly wait. The
# output of the browser's tests is printed at the end.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

make --no-print-directory test-browser test-engines >"$log" 2>&1 &
browser=$!
cargo test --workspace
rust=$?
wait "$browser"
browser=$?
cat "$log"
[ "$rust" -eq 0 ] || echo "the server's tests failed"
[ "$browser" -eq 0 ] || echo "the browser's tests failed"
[ "$rust" -eq 0 ] && [ "$browser" -eq 0 ]
