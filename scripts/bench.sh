#!/usr/bin/env bash
# Measures this machine with the load tester: start-up, anonymous notes at 1,
# 16 and 128 clients beside the disk's own sync rate, and sign-ins beside a
# reader who shouldn't notice them. Flags go to the server under `notes`.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=target/release/annon-bench
"$bench" start
"$bench" notes "${@:+--}" "$@"
"$bench" login
