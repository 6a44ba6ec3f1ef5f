#!/usr/bin/env bash
# The server's tests and the browser's, side by side: both mostly wait. What
# the browser's say is shown when the others are done.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

make --no-print-directory test-browser test-engines >"$log" 2>&1 &
browser=$!
cargo test --release --workspace
rust=$?
wait "$browser"
browser=$?
cat "$log"
[ "$rust" -eq 0 ] || echo "the server's tests failed"
[ "$browser" -eq 0 ] || echo "the browser's tests failed"
[ "$rust" -eq 0 ] && [ "$browser" -eq 0 ]
