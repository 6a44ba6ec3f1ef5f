#!/usr/bin/env bash
# Tries the static binaries of target/static: they need nothing of their system, they start in a root that
# has nothing else, and take a note. The one for arm64 runs in qemu on another machine. ARCHITECTURES names
# one of them. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v file >/dev/null || bash scripts/apt_install.sh file
command -v readelf >/dev/null || bash scripts/apt_install.sh binutils

say() { echo "static: $*"; }
fail() { echo "static: FAILED: $*" >&2; [ ! -e "$log" ] || tail -n 20 "$log" >&2; exit 1; }
root=$(mktemp -d /tmp/annon-static-XXXXXX)
log=$root/log
server=
cleanup() {
    [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true
    for proc in "$root"/*/proc; do ! mountpoint -q "$proc" || umount "$proc"; done
    rm -rf --one-file-system "$root"
}
trap cleanup EXIT

for architecture in ${ARCHITECTURES:-amd64 arm64}; do
    binary=target/static/annon-$architecture
    [ -x "$binary" ] || fail "$binary is missing: make static"
    case $architecture in
        amd64) processor=x86_64 machine='Advanced Micro Devices X86-64' ;;
        arm64) processor=aarch64 machine=AArch64 ;;
        *) fail "no such architecture: $architecture" ;;
    esac
    readelf --file-header "$binary" | grep -q "Machine: *$machine" || fail "$binary is for another machine"
    ! readelf --program-headers --wide "$binary" | grep -q INTERP || fail "$binary asks for a loader"
    ! readelf --dynamic --wide "$binary" | grep NEEDED || fail "$binary needs libraries"
    file --brief "$binary" | grep -Eq 'statically linked|static-pie' || fail "$binary is not static: $(file --brief "$binary")"

    # Its root has no other file but what runs it, and /proc, as any container has it.
    new=$root/$architecture
    mkdir -p "$new"/{tmp,data,proc}
    mount -t proc proc "$new/proc"
    install "$binary" "$new/annon"
    command=(/annon)
    if [ $processor != "$(uname -m)" ]; then
        command -v "qemu-$processor-static" >/dev/null || bash scripts/apt_install.sh qemu-user-static
        install "$(command -v "qemu-$processor-static")" "$new/qemu"
        command=(/qemu /annon)
    fi
    run() { chroot "$new" "${command[@]}" "$@"; }
    version=$(run --version) || fail "$binary doesn't run"
    run check-config --data-dir /data >"$log" 2>&1 || fail "check-config"
    [[ $(run sbom) == *'"bomFormat": "CycloneDX"'* ]] || fail "it doesn't list what is in it"

    port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    chroot "$new" "${command[@]}" --listen "127.0.0.1:$port" --metrics-listen off --data-dir /data >"$log" 2>&1 &
    server=$!
    bash scripts/walk.sh "http://127.0.0.1:$port" "$server" || fail "$binary doesn't serve"
    run healthcheck --listen "127.0.0.1:$port" --data-dir /data >/dev/null || fail "the health check fails"
    kill "$server"
    wait "$server" || fail "the server ends with $?"
    server=
    say "$architecture: $version, $(stat -c %s "$binary") bytes, static; it served alone in its root"
done
