#!/usr/bin/env bash
# Leaves out one condition after the other, on which a promise hangs, and lets the judge of a run look: it has to find what
# follows, and nothing while all conditions are there. RUNS: how often each is tried at most; LONGEST: seconds
# of a run; SHORT=1: without Patroni (docs/PROOF.md).
set -uo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-5}
histories=target/judge
mkdir -p "$histories"
cargo build --workspace --bin annon --features annon/left-out || exit 1
cp target/debug/annon target/debug/annon-left-out
# Nobody shall find that one in its place.
cargo build --workspace --bin annon || exit 1
cargo build --workspace --bin annon-bench || exit 1

none="--kills 0 --pauses 0 --partitions 0 --restarts 0 --keys-restarts 0 --promotions 0 --upgrades 0"
small="--rooms 4 --members 4 --rate 60 --calm 4"
failed=0

# Runs a cluster with a seed, and returns what the judge says of it: 0 right, 1 wrong.
run() { # NAME SEED LEFT_OUT FLAGS...
    local name=$1 seed=$2 left_out=$3 history=$histories/$1-$2
    shift 3
    # What the run itself finds is not asked here.
    # Where people are told no for good it would wait for long: it is stopped, and what it wrote is judged.
    # shellcheck disable=SC2086
    LEFT_OUT=$left_out timeout -s INT "${LONGEST:-90}" target/debug/annon-bench cluster --server target/debug/annon-left-out $none $small \
        --seed "$seed" --history "$history" "$@" >"$history.log" 2>&1
    target/debug/annon-bench judge "$history" >"$history.judged" 2>&1
}

try() { # NAME LEFT_OUT FLAGS...
    local name=$1 left_out=$2 seed code
    shift 2
    for seed in $(seq "$runs"); do
        run "$name" "$seed" "$left_out" "$@"
        code=$?
        [ "$code" = 0 ] && continue
        if [ "$code" = 1 ]; then
            echo "$name: found in run $seed: $(grep -o 'WRONG:.*' "$histories/$name-$seed.judged")"
            return
        fi
        break
    done
    echo "$name: NOT FOUND in $seed runs, have a look at $histories/$name-$seed.log"
    failed=1
}

# With all conditions there, the same faults lead to nothing that the judge would find.
whole() { # NAME FLAGS...
    local name=$1
    shift
    if run "$name-whole" 1 nothing "$@"; then
        echo "$name, with nothing left out: right"
    else
        echo "$name, with nothing left out: WRONG, have a look at $histories/$name-whole-1.judged"
        failed=1
    fi
}

whole calm
try place place
try seat seat
whole cancels --nodes 1 --cancels 1
try notice notice --nodes 1 --cancels 1
whole both --both 1
try standby standby --both 1
try asynchronous nothing --asynchronous --both 1
if [ -z "${SHORT:-}" ]; then
    whole patroni --patroni --switchovers 0 --old-primaries 1
    try patroni nothing --patroni --asynchronous --switchovers 0 --old-primaries 1
fi
exit "$failed"
