#!/usr/bin/env bash
# Runs all tests. First what failed last time, then what is quick, so that most mistakes are told within two
# minutes; then the rest side by side, because most of it waits: for time-outs, for disks, for a server that
# comes back. What a part prints is shown when it ends, and at the end how long each took.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=target/tests
mkdir -p "$logs"
failed=$logs/failed
touch "$failed"

# Runs a part, and keeps what it prints and the names of its failed tests.
part() { # NAME COMMAND...
    local name=$1 begin=$SECONDS code=0
    shift
    "$@" >"$logs/$name.log" 2>&1 || code=$?
    cat "$logs/$name.log"
    sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$logs/$name.log" >"$logs/$name.failed"
    echo "$name: $((SECONDS - begin)) s, exit code $code" | tee "$logs/$name.result"
    return "$code"
}

the_end() {
    sort -u "$logs"/*.failed >"$failed"
    cat "$logs"/*.result
    exit "$1"
}

rm -f "$logs"/*.result "$logs"/*.failed
tests() { cargo test --workspace "$@"; }
journeys() { npm --prefix web run --silent browsers -- "$@"; }
if [ -s "$failed" ]; then
    mapfile -t names <"$failed"
    part again tests -- --exact "${names[@]}" || the_end 1
fi
if grep -qs '"status": "failed"' web/e2e/results/*/.last-run.json; then
    part browsers-again journeys --last-failed --pass-with-no-tests || the_end 1
fi
part unit tests --lib --bins --examples || the_end 1

# The store's tests need the processor more than the others, so they come after the server's, which mostly wait.
threads=$(($(nproc) * 2))
server_and_store() {
    local code=0
    part server tests --test server -- --test-threads "$threads" || code=1
    part store tests --test store --test machine --test machine_at_random -- --test-threads "$threads" || code=1
    return "$code"
}
pids=()
part browsers journeys &
pids+=($!)
part bench tests --test bench &
pids+=($!)
server_and_store &
pids+=($!)
code=0
for pid in "${pids[@]}"; do
    wait "$pid" || code=1
done
the_end "$code"
