#!/usr/bin/env bash
# Fuzzes each target of fuzz/, guided by what its inputs reach: for SECONDS_EACH (20 by default), or RUNS
# times, beginning with SEED (1). TARGETS names some. What is new to a target is kept in
# target/fuzz/corpus for the next time; what makes one fail is kept in target/fuzz/found, and is the end.
# SANITIZER=address looks at what libraries do with memory, too.
# These are the flags of `cargo fuzz`, which stable Rust takes as well.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
targets=${TARGETS:-frames body picture token record commit_log backup}
folder=${CARGO_TARGET_DIR:-$PWD/../target}/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')

flags=(--cfg fuzzing -Cpasses=sancov-module)
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$option")
done
if [ -n "${SANITIZER:-}" ]; then
    export RUSTC_BOOTSTRAP=1
    flags+=("-Zsanitizer=$SANITIZER")
    folder=$folder-$SANITIZER
fi
# With --target, build scripts and macros are built without the flags.
RUSTFLAGS="${flags[*]}" CARGO_TARGET_DIR=$folder cargo build --release --locked --quiet --target "$triple"

mkdir -p "$folder/found"
export ANNON_INVARIANTS=panic
limit=(-max_total_time="${SECONDS_EACH:-20}")
[ -z "${RUNS:-}" ] || limit=(-runs="$RUNS")
for target in $targets; do
    mkdir -p "$folder/corpus/$target"
    log=$folder/$target.log
    # Pictures are large in memory, and each of the other inputs is small.
    length=4096
    [ "$target" = picture ] && length=65536
    if ! nice -n 19 "$folder/$triple/release/$target" "${limit[@]}" -seed="${SEED:-1}" -max_len=$length -timeout=20 \
        -rss_limit_mb=3072 -malloc_limit_mb=1024 -artifact_prefix="$folder/found/$target-" -print_final_stats=1 \
        "$folder/corpus/$target" "corpus/$target" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "$target has failed; its input is in $folder/found" >&2
        exit 1
    fi
    covered() { grep -m1 "$1" | sed -E 's/.* cov: ([0-9]+) .*/\1/'; }
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs, $(covered INITED <"$log") places reached at first, $(tac "$log" | covered ' cov: ') now"
done
