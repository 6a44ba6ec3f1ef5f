#!/usr/bin/env bash
# Changes the code in one place at a time, and looks whether a test fails. A mutant that survives is a
# test that is missing, code that isn't needed, or a change that nobody can notice. Only tests near the
# code run, with less random input than usual: a test of a whole server may still find a survivor.
# They are in target/mutants/PART/mutants.out/missed.txt. PARTS names some (machine frames seals log
# engine), and SHARD=0/20 takes a part of each. All of them take more than a day.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/target/tools
[ -x "$tools/bin/cargo-mutants" ] ||
    cargo install --quiet --debug --locked --root "$tools" --target-dir "$tools/build" cargo-mutants@27.1.0
out=$PWD/target/mutants
export PATH=$tools/bin:$PATH CARGO_TARGET_DIR=$out/build CARGO_PROFILE_DEV_DEBUG=0
export ANNON_SEEDS=20 ANNON_HOUSE_SEEDS=5 PROPTEST_CASES=100

# In a copy, so that nobody builds or commits a mutant.
rm -rf "$out/tree"
mkdir -p "$out/tree"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$out/tree"
cd "$out/tree"

# try PART PACKAGE FILES FLAG...: flags of cargo say which tests are built and run. Checksums are
# much of what tests of the commit log compute.
try() {
    local part=$1 package=$2 flags=() file
    for file in $3; do flags+=(--file "$file"); done
    [ -z "${SHARD:-}" ] || flags+=(--shard "$SHARD" --sharding round-robin)
    shift 3
    # It ends with 2 if a mutant has survived, and with 3 if tests of one never ended.
    nice -n 15 cargo mutants --in-place --package "$package" "${flags[@]}" --cap-lints true --shuffle \
        --minimum-test-timeout 40 --cargo-arg=--config=profile.dev.package.crc32fast.opt-level=3 \
        --output "$out/$part" "$@" || [ $? -eq 2 ] || [ $? -eq 3 ]
}

room=actors/src/room log=store/src/local/commit_log
decides="$room/machine.rs $room/machine/*.rs $room/lines.rs $room/reactions.rs $room/door.rs $room/line.rs"
for part in ${PARTS:-machine frames seals log engine}; do
    mkdir -p "$out/$part"
    case $part in
    machine)
        try machine annon-actors "$decides" --cargo-arg=--test=machine --cargo-arg=--test=machine_at_random
        # What these don't find, the tests of rooms may.
        try machine annon-actors "$decides $room/budget.rs $room/page.rs $room/member.rs actors/src/bucket.rs" \
            --iterate --cargo-arg=--lib
        ;;
    frames) try frames annon-actors "actors/src/session.rs actors/src/session/*.rs" --cargo-arg=--lib ;;
    seals)
        try seals annon-store "store/src/seals.rs store/src/seals/*.rs store/src/seals/keyring/*.rs" \
            --cargo-arg=--lib -- -- --skip postgres --skip commit_log --skip committer
        ;;
    log) try log annon-store "$log.rs $log/*.rs" --cargo-arg=--lib -- -- commit_log fuzz ;;
    engine)
        try engine annon-store "store/src/local/*.rs store/src/local/*/*.rs" \
            --exclude "$log.rs" --exclude "$log/*.rs" --cargo-arg=--test=store -- -- contract:: --skip postgres
        ;;
    *)
        echo "there is no part $part" >&2
        exit 2
        ;;
    esac
done
