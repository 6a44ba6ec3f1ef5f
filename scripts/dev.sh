#!/usr/bin/env bash
# Serves the web app with hot reload, in front of a server of its own. Ends
# both together.
set -euo pipefail
cd "$(dirname "$0")/.."

# The server embeds the web app, so it wants one built; Vite serves a fresher.
[ -e web/dist/index.html ] || make web
cargo build --release
target/release/annon --data-dir "${ANNON_DATA_DIR:-data-dev}" --public-url http://localhost:5173 "$@" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
cd web
npm run dev -- --host localhost --port 5173 --strictPort
