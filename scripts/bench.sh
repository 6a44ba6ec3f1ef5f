#!/usr/bin/env bash
# Measures this machine with the load tester: start-up, a chat in twenty rooms
# in a closed and an open loop, a reconnection storm, anonymous notes at 1, 16
# and 128 clients beside the disk's own sync rate, sign-ins beside a reader and a
# room that must not notice them, pages of inboxes and groups of every size, and
# pictures. In `notes` and `fanout` the flags of this script go to the server.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=target/release/annon-bench
"$bench" start
"$bench" fanout --in-flight 10 "${@:+--}" "$@"
"$bench" fanout --rate 2000 "${@:+--}" "$@"
"$bench" storm
"$bench" notes "${@:+--}" "$@"
"$bench" login
"$bench" pages
"$bench" images
