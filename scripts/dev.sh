#!/usr/bin/env bash
# Serves the web app with hot reload, with a server of its own. Both end together.
set -euo pipefail
cd "$(dirname "$0")/.."

# The server embeds a built web app. Vite serves the current one.
[ -e web/dist/index.html ] || make web
cargo build --workspace --bin annon
target/debug/annon --data-dir "${ANNON_DATA_DIR:-data-dev}" --public-url http://localhost:5173 "$@" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
cd web
npm run dev -- --host localhost --port 5173 --strictPort
