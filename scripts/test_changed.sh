#!/usr/bin/env bash
# Runs the tests that a change reaches: all that differs from HEAD, or from what SINCE names (SINCE=main for a
# branch). Crates are reached as cargo's graph says, the web app's unit tests as its imports say, and journeys by
# the folder of what they walk through. `make test` runs all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
since=${SINCE:-HEAD}
mapfile -t files < <(git diff --name-only "$since"; git ls-files --others --exclude-standard)
[ ${#files[@]} -gt 0 ] || { echo "nothing differs from $since"; exit 0; }

declare -A crates=() journeys=() modules=()
web=
for file in "${files[@]}"; do
    case $file in
        store/memory/*) crates[annon-store-memory]=1 ;;
        store/*) crates[annon-store]=1 ;;
        actors/*) crates[annon-actors]=1 ;;
        contract/*) crates[annon-contract]=1 web=1 ;;
        bench/peers/*) ;;
        bench/*) crates[annon-bench]=1 ;;
        # A change of one file of tests reaches the tests in it.
        tests/*/*.rs) module=${file#tests/} && module=${module%.rs} && modules[${module//\//::}]=1 ;;
        src/* | tests/* | build.rs | build/* | deploy/* | Cargo.*) crates[annon]=1 ;;
    esac
    case $file in
        web/e2e/support/* | web/src/app/* | web/src/shared/* | web/*.ts | web/package*) journeys[.]=1 ;;
        web/e2e/*/*.spec.ts) journeys[${file#web/}]=1 ;;
        web/src/features/chat/*) journeys[e2e/chat/]=1 ;;
        web/src/features/room/* | web/src/features/knock/*) journeys[e2e/groups/]=1 ;;
        web/src/features/inbox/* | web/src/features/answers/*) journeys[e2e/inbox/]=1 ;;
        web/src/features/note/*) journeys[e2e/conversations/]=1 journeys[e2e/shield/]=1 journeys[e2e/inbox/]=1 ;;
        web/src/features/account/*) journeys[e2e/account/]=1 ;;
        web/src/features/*) journeys[e2e/pages/]=1 ;;
    esac
    case $file in web/*) web=1 ;; esac
done

if [ -n "$web" ]; then
    make --no-print-directory web
    (cd web && npm run typecheck && npx vitest run --project unit --changed "$since" && npm run test:budget)
fi
reached=$(for crate in "${!crates[@]}"; do
    cargo tree --workspace --invert "$crate" --edges all --prefix none --format '{p}' 2>/dev/null || echo "$crate"
done | sed -n 's/^\(annon[a-z-]*\) .*/\1/p' | sort -u)
has() { grep -qx "$1" <<<"$reached"; }
if [ ${#crates[@]} -gt 0 ]; then
    cargo test --workspace --lib --bins
    ! has annon-store || cargo test --workspace --test store
    ! has annon-actors || cargo test --workspace --test machine --test machine_at_random
    ! has annon-bench || cargo test --workspace --test bench
fi
if has annon; then
    cargo test --workspace --test server
elif [ ${#modules[@]} -gt 0 ]; then
    cargo test --workspace --test server -- "${!modules[@]}"
fi
if [ ${#journeys[@]} -gt 0 ]; then
    cargo build --workspace --bin annon
    [ -z "${journeys[.]:-}" ] || journeys=([.]=1)
    (cd web && ANNON_BIN=$PWD/../target/debug/annon npm run e2e -- "${!journeys[@]}")
fi
