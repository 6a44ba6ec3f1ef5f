#!/usr/bin/env bash
# How many instructions one message takes, outside the kernel: the same on a
# busy machine as on an idle one. Needs valgrind, and a server that is built.
set -euo pipefail
cd "$(dirname "$0")/.."
annon=${1:-target/release/annon}
bench=${BENCH:-target/release/annon-bench}
port=${PORT:-7719}
folder=$(mktemp -d)
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/profile" "$annon" \
    --data-dir "$folder/data" --listen "127.0.0.1:$port" --metrics-listen "127.0.0.1:$((port + 1))" --address-limits off --sends-per-second 0 \
    >"$folder/log" 2>&1 &
server=$!
counting=
trap 'kill "$server" $counting 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT
until curl -sf "http://127.0.0.1:$port/readyz" >/dev/null; do sleep 0.2; done

# Counted while everybody talks.
count() {
    until curl -sf "http://127.0.0.1:$((port + 1))/metrics" | grep -Eq 'commit_calls_total [0-9]{4}'; do
        sleep 0.5
    done
    callgrind_control -i on "$server"
    sleep 15
    callgrind_control -i off "$server"
}
count >/dev/null 2>&1 &
counting=$!
"$bench" fanout --url "http://127.0.0.1:$port" --server-pid "$server" --rooms 4 --members 10 --seconds 25 \
    "${@:2}" >/dev/null
kill "$server"
wait "$server" || true

# Costs stand on lines that begin with a place; after `calls=` comes one that
# was counted where it arose.
awk '
    /^c?fn=/ {
        split($0, part, /[()]/)
        if (index($0, "Handler<annon_actors::room::actor::sockets::Heard>")) heard[part[2]] = 1
        if (/^cfn=/) called = part[2]
    }
    /^calls=/ { split($1, part, "="); if (called in heard) messages += part[2]; skip = 1; next }
    /^[-+*0-9]/ { if (!skip) total += $2; skip = 0 }
    END { printf "%d instructions for each of %d messages\n", total / messages, messages }
' "$folder/profile"
