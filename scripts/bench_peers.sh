#!/usr/bin/env bash
# Runs the same fan-out against Annon and chat servers that speak Annon's frames and store
# nothing. Every server is started once, and the servers take turns at each load, so that other
# programs disturb all of them alike. Nothing is installed outside bench/peers/node_modules.
#
#   ROUNDS=3 SECONDS_EACH=5 scripts/bench_peers.sh [server...]
#
# Servers: bun-annon actix-ws annon annon-one (one thread for rooms and sockets, as Bun has) annon-nosync
set -euo pipefail
cd "$(dirname "$0")/.."

ROUNDS=${ROUNDS:-3}
SECONDS_EACH=${SECONDS_EACH:-5}
ROOMS=${ROOMS:-20}
MEMBERS=${MEMBERS:-10}
RATE=${RATE:-2000}
IDLE=${IDLE:-5000}
PORT=${PORT:-9310}
ANNON=${ANNON_BIN:-target/release/annon}
BENCH=${ANNON_BENCH_BIN:-target/release/annon-bench}
OUT=${OUT:-$(mktemp -d)}
PEERS=bench/peers
BUN=$PEERS/node_modules/.bin/bun
# The other servers are compared with the first in the list.
servers=("$@")
[ ${#servers[@]} -gt 0 ] || servers=(bun-annon actix-ws annon annon-one annon-nosync)
loads=("--in-flight $MEMBERS" "--in-flight 1" "--rate $RATE")

for name in ROUNDS ROOMS MEMBERS IDLE PORT; do
    [[ ${!name} =~ ^[1-9][0-9]*$ ]] || { echo "$name is ${!name}: it has to be a whole number" >&2; exit 2; }
done
for name in SECONDS_EACH RATE; do
    [[ ${!name} =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "$name is ${!name}: it has to be a number" >&2; exit 2; }
done
for program in "$BENCH" "$ANNON"; do
    [ -x "$program" ] || { echo "$program is missing: make build, and cargo build --release -p annon-bench" >&2; exit 2; }
done
if [[ " ${servers[*]} " == *" bun-annon "* ]]; then
    [ -e "$PEERS/node_modules/.package-lock.json" ] || (cd "$PEERS" && npm ci --no-audit --no-fund --silent)
    "$BUN" --version >/dev/null 2>&1 || { echo "bun does not run here" >&2; exit 2; }
fi

if [[ " ${servers[*]} " == *" actix-ws "* ]]; then
    (cd "$PEERS/rust" && cargo build --release --locked --quiet --bin actix-ws)
fi

declare -A pid url bare
scratch=$(mktemp -d)
end_all() {
    for name in "${!pid[@]}"; do kill "${pid[$name]}" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap end_all EXIT
# This run needs many connections, here and in the servers.
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true

# Prints the medians of the runs so far, also after Ctrl-C.
files=()
medians() {
    [ ${#files[@]} -eq 0 ] || node "$PEERS/medians.js" "${files[@]}"
    echo "The runs are in $OUT."
}
trap 'trap - INT TERM; medians || true; exit 130' INT TERM

wait_for() {
    local name=$1 tries=0
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "$name did not start:" >&2; cat "$scratch/$name.log" >&2; exit 2; }
        sleep 0.1
    done
}

start_annon() {
    local name=$1 port=$2
    shift 2
    # A program that listens there would answer in place of the server.
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        echo "something listens on port $port already: PORT names others" >&2
        exit 2
    fi
    mkdir -p "$scratch/$name"
    "$ANNON" --listen "127.0.0.1:$port" --metrics-listen 127.0.0.1:0 --data-dir "$scratch/$name" \
        --address-limits off --sends-per-second 0 "$@" >"$scratch/$name.log" 2>&1 &
    pid[$name]=$!
    url[$name]=http://127.0.0.1:$port
    wait_for "$name" "$ANNON" healthcheck --listen "127.0.0.1:$port"
    echo "$("$ANNON" --version) $*"
}

start_actix_ws() {
    "$PEERS/rust/target/release/actix-ws" >"$scratch/actix-ws.log" 2>&1 &
    pid[actix-ws]=$!
    wait_for actix-ws grep -q 'listening on [0-9]' "$scratch/actix-ws.log"
    url[actix-ws]=http://127.0.0.1:$(grep -o '[0-9]*$' "$scratch/actix-ws.log")
    # This server has no accounts either.
    bare[actix-ws]=--bare
    sed -n '/^name = "actix-ws"/{n;p}' "$PEERS/rust/Cargo.lock"
}

start_bun() {
    # The Bun server also reads PORT. 0 is any free port.
    PORT=0 "$BUN" "$PEERS/bun-annon.js" >"$scratch/bun-annon.log" 2>&1 &
    pid[bun-annon]=$!
    wait_for bun-annon grep -q 'listening on [0-9]' "$scratch/bun-annon.log"
    url[bun-annon]=http://127.0.0.1:$(grep -o '[0-9]*$' "$scratch/bun-annon.log")
    # The Bun server has no accounts.
    bare[bun-annon]=--bare
    sed 's/ listening on.*//; q' "$scratch/bun-annon.log"
}

for name in "${servers[@]}"; do
    printf '%-14s' "$name"
    case $name in
        annon) start_annon annon "$PORT" ;;
        annon-nosync) start_annon annon-nosync $((PORT + 1)) --sync off ;;
        annon-one) start_annon annon-one $((PORT + 2)) --workers 1 ;;
        actix-ws) start_actix_ws ;;
        bun-annon) start_bun ;;
        *) echo "no such server: $name" >&2; exit 2 ;;
    esac
done
mkdir -p "$OUT"
wrong=0
# Runs a scenario against a server, and prints its output if it fails.
measure() {
    local name=$1 file=$2
    shift 2
    # shellcheck disable=SC2086 # without accounts or nothing at all
    "$BENCH" "$@" --url "${url[$name]}" --server-pid "${pid[$name]}" ${bare[$name]:-} --members "$MEMBERS" \
        --json "$file" >"$OUT/last.txt" 2>&1 || { wrong=1; echo "$name, $*:" >&2; cat "$OUT/last.txt" >&2; }
    [ ! -e "$file" ] || files+=("$name=$file")
}
# Idle connections come first, because they would use the memory that a load has left behind.
for name in "${servers[@]}"; do
    measure "$name" "$OUT/$name-idle.json" idle --connections "$IDLE" --seconds 1
done
for ((round = 1; round <= ROUNDS; round++)); do
    for ((load = 0; load < ${#loads[@]}; load++)); do
        for name in "${servers[@]}"; do
            # shellcheck disable=SC2086 # the load is several words
            measure "$name" "$OUT/$name-$load-$round.json" fanout --rooms "$ROOMS" --seconds "$SECONDS_EACH" ${loads[$load]}
        done
    done
    echo "round $round of $ROUNDS done" >&2
done
medians || wrong=1
exit $wrong
