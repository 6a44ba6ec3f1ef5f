#!/usr/bin/env bash
# The same fan-out against Annon and what people would otherwise take, side
# by side: every server is started once, and the loads take turns, so that
# what disturbs one disturbs all. Nothing is installed outside
# bench/peers/node_modules but Debian's ejabberd.
#
#   ROUNDS=3 SECONDS_EACH=5 scripts/bench_peers.sh [server...]
#
# Servers: annon annon-one (one thread for rooms and sockets, as Bun has) annon-nosync bun-annon bun-raw node-ws socket-io ejabberd floor
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
servers=("$@")
[ ${#servers[@]} -gt 0 ] || servers=(bun-annon annon annon-one annon-nosync bun-raw node-ws socket-io ejabberd floor)
# What the others are compared with comes first in the list.
loads=("--in-flight $MEMBERS" "--in-flight 1" "--rate $RATE")

for name in ROUNDS ROOMS MEMBERS IDLE PORT; do
    [[ ${!name} =~ ^[1-9][0-9]*$ ]] || { echo "$name is ${!name}: it has to be a whole number" >&2; exit 2; }
done
for name in SECONDS_EACH RATE; do
    [[ ${!name} =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "$name is ${!name}: it has to be a number" >&2; exit 2; }
done

wants() { [[ " ${servers[*]} " == *" $1 "* ]]; }

programs=("$BENCH")
if wants annon || wants annon-one || wants annon-nosync; then programs+=("$ANNON"); fi
for program in "${programs[@]}"; do
    [ -x "$program" ] || { echo "$program is missing: make build, and cargo build --release -p annon-bench" >&2; exit 2; }
done

install_peers() {
    if wants bun-annon || wants bun-raw || wants node-ws || wants socket-io; then
        [ -e "$PEERS/node_modules/.package-lock.json" ] || (cd "$PEERS" && npm ci --no-audit --no-fund --silent)
    fi
    if wants bun-annon || wants bun-raw; then
        "$BUN" --version >/dev/null 2>&1 || { echo "bun does not run here" >&2; exit 2; }
    fi
    if wants ejabberd && ! command -v ejabberdctl >/dev/null; then
        local sudo=()
        [ "$(id -u)" -eq 0 ] || sudo=(sudo)
        "${sudo[@]}" apt-get update -qq
        DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends ejabberd >/dev/null
    fi
}

declare -A pid url speak
started=()
scratch=$(mktemp -d)
end_all() {
    local name
    for name in "${started[@]}"; do kill "${pid[$name]}" 2>/dev/null || true; done
    end_ejabberd
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap end_all EXIT
# Connections of this run, here and in the servers.
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
trap 'trap - INT TERM; medians || true; exit 130' INT TERM

# What there is so far, also after Ctrl-C.
files=()
medians() {
    local status=0
    [ ${#files[@]} -eq 0 ] || "$BENCH" side-by-side "${files[@]}" --json "$OUT/side-by-side.json" ${HTML:+--html "$HTML"} || status=1
    echo
    echo "The runs are in $OUT."
    return $status
}

# Waits until a server has said where it listens; what it said is its version.
says() {
    local name=$1 tries=0
    until grep -q 'listening on [0-9]' "$scratch/$name.log" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 100 ]; then
            echo "$name did not start:" >&2
            cat "$scratch/$name.log" >&2
            exit 2
        fi
        sleep 0.1
    done
    url[$name]=http://127.0.0.1:$(grep -o 'listening on [0-9]*' "$scratch/$name.log" | head -1 | grep -o '[0-9]*$')
    sed 's/ listening on.*//; q' "$scratch/$name.log"
}

start_annon() {
    local name=$1 port=$2
    shift 2
    # Whoever listens there would answer in its place.
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        echo "something listens on port $port already: PORT names others" >&2
        exit 2
    fi
    mkdir -p "$scratch/$name"
    "$ANNON" --listen "127.0.0.1:$port" --data-dir "$scratch/$name" --address-limits off --sends-per-second 0 "$@" \
        >"$scratch/$name.log" 2>&1 &
    pid[$name]=$!
    url[$name]=http://127.0.0.1:$port
    speak[$name]=annon
    local tries=0
    until "$ANNON" healthcheck --listen "127.0.0.1:$port" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { cat "$scratch/$name.log" >&2; exit 2; }
        sleep 0.1
    done
    echo "$("$ANNON" --version) $*"
}

start_ejabberd() {
    local port=$1 home=$scratch/ejabberd
    if [ "$(id -u)" -ne 0 ]; then
        echo "ejabberd is started by root alone; leave it out, or use sudo" >&2
        exit 2
    fi
    mkdir -p "$home/log" "$home/spool"
    sed "s/PORT/$port/" "$PEERS/ejabberd.yml" >"$home/ejabberd.yml"
    # A port of its own instead of a port mapper that outlives it.
    echo "ERL_DIST_PORT=$((port + 1))" >"$home/ejabberdctl.cfg"
    : >"$home/inetrc"
    chmod 755 "$scratch"
    chown -R ejabberd: "$home"
    # Not by its own su, which would set the limit on open files back.
    HOME=$home setpriv --reuid=ejabberd --regid=ejabberd --init-groups \
        ejabberdctl --node bench@localhost --config-dir "$home" --config "$home/ejabberd.yml" \
        --ctl-config "$home/ejabberdctl.cfg" --logs "$home/log" --spool "$home/spool" foreground \
        >"$scratch/ejabberd.log" 2>&1 &
    local tries=0
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || { cat "$scratch/ejabberd.log" "$home/log/"* >&2; end_ejabberd; exit 2; }
        sleep 0.1
    done
    # The virtual machine, not the script that has started it.
    pid[ejabberd]=$(pgrep -f "beam.*$home" | head -1)
    url[ejabberd]=http://127.0.0.1:$port
    speak[ejabberd]=xmpp
    dpkg-query -W -f '${Package} ${Version}\n' ejabberd
}

end_ejabberd() {
    local machine
    machine=$(pgrep -f "beam.*$scratch/ejabberd" | head -1) || return 0
    kill "$machine" 2>/dev/null || true
}

start() {
    local name=$1
    case $name in
        annon) start_annon annon "$PORT" ;;
        annon-one) start_annon annon-one $((PORT + 4)) --workers 1 ;;
        annon-nosync) start_annon annon-nosync $((PORT + 1)) --sync off ;;
        # They read the variable that is this script's as well: 0 is any free one.
        bun-annon) PORT=0 "$BUN" "$PEERS/bun-annon.js" >"$scratch/$name.log" 2>&1 & pid[$name]=$!; speak[$name]=annon-bare; says "$name" ;;
        bun-raw) PORT=0 "$BUN" "$PEERS/bun-raw.js" >"$scratch/$name.log" 2>&1 & pid[$name]=$!; speak[$name]=raw; says "$name" ;;
        node-ws) PORT=0 node "$PEERS/node-ws.js" >"$scratch/$name.log" 2>&1 & pid[$name]=$!; speak[$name]=raw; says "$name" ;;
        socket-io) PORT=0 node "$PEERS/socket-io.js" >"$scratch/$name.log" 2>&1 & pid[$name]=$!; speak[$name]=socket.io; says "$name" ;;
        floor) "$BENCH" floor >"$scratch/$name.log" 2>&1 & pid[$name]=$!; speak[$name]=raw; says "$name" ;;
        ejabberd) start_ejabberd $((PORT + 2)) ;;
        *) echo "no such server: $name" >&2; exit 2 ;;
    esac
    started+=("$name")
}

install_peers
for name in "${servers[@]}"; do
    printf '%-14s' "$name"
    start "$name"
done
echo
mkdir -p "$OUT"
wrong=0
# First, because what a load has left behind would be used again.
echo "Memory of $IDLE idle connections, on a server just started:"
for name in "${servers[@]}"; do
    printf '%-14s' "$name"
    if "$BENCH" idle --speak "${speak[$name]}" --url "${url[$name]}" --server-pid "${pid[$name]}" \
        --connections "$IDLE" --members "$MEMBERS" --seconds 1 --json "$OUT/$name-idle.json" >"$OUT/last.txt" 2>&1; then
        grep -o '"memory_per_connection": [0-9.]*' "$OUT/$name-idle.json" |
            awk '{ printf "%.1f KiB a connection\n", $2 / 1024 }'
    else
        wrong=1
        tail -1 "$OUT/last.txt"
    fi
done
echo
for ((round = 1; round <= ROUNDS; round++)); do
    for ((load = 0; load < ${#loads[@]}; load++)); do
        for name in "${servers[@]}"; do
            file=$OUT/$name-$load-$round.json
            # shellcheck disable=SC2086 # the load is several words
            if "$BENCH" fanout --speak "${speak[$name]}" --url "${url[$name]}" --server-pid "${pid[$name]}" \
                --rooms "$ROOMS" --members "$MEMBERS" --seconds "$SECONDS_EACH" ${loads[$load]} \
                --json "$file" >"$OUT/last.txt" 2>&1; then
                files+=("$name=$file")
            else
                wrong=1
                echo "round $round, $name, ${loads[$load]}:" >&2
                cat "$OUT/last.txt" >&2
                [ ! -e "$file" ] || files+=("$name=$file")
            fi
        done
    done
    echo "round $round of $ROUNDS done" >&2
done
medians || wrong=1
exit $wrong
