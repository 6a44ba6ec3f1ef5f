#!/usr/bin/env bash
# Makes a clean root of Debian's with debootstrap, once, and prints its folder. Whoever uses it copies it.
# One for another ARCHITECTURE has its packages unpacked: nothing in it can run here. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v debootstrap >/dev/null || bash scripts/apt_install.sh debootstrap >&2
here=$(dpkg --print-architecture) architecture=${1:-} clean=target/clean flags=()
if [ "${architecture:=$here}" != "$here" ]; then
    clean+=-$architecture flags=(--foreign --arch="$architecture")
fi
if [ ! -e "$clean/usr/bin/apt-get" ]; then
    echo "making a clean root" >&2
    rm -rf "$clean"
    mkdir -p target
    debootstrap "${flags[@]}" --variant=minbase bookworm "$clean" http://deb.debian.org/debian > target/debootstrap.log
    # In one that is only unpacked, this leads to the machine's own.
    [ ! -L "$clean/proc" ] || { rm "$clean/proc" && mkdir "$clean/proc"; }
    # Its apt goes where this machine's goes.
    for conf in /etc/apt/apt.conf.d/*; do
        case $(basename "$conf") in *docker* | 70debconf) ;; *) cp "$conf" "$clean/etc/apt/apt.conf.d/" ;; esac
    done
fi
echo "$clean"
