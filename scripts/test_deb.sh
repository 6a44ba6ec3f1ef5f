#!/usr/bin/env bash
# Installs, starts, upgrades and purges the package in a clean root of Debian's. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v lintian >/dev/null || bash scripts/apt_install.sh lintian

say() { echo "deb: $*"; }
fail() { echo "deb: FAILED: $*" >&2; exit 1; }
now=$(bash scripts/deb.sh)
# The same binary, packed as the version before.
before=$(bash scripts/deb.sh "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | sed -n 2p)")
lintian --allow-root --fail-on error "$now"

clean=$(bash scripts/clean_root.sh)
root=$(mktemp -d /tmp/annon-deb-XXXXXX)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    mountpoint -q "$root/proc" && umount -l "$root/proc"
    rm -rf --one-file-system "$root"
}
trap cleanup EXIT
cp -a "$clean/." "$root"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$now" "$before" "$root/tmp"
# No daemon is started in a chroot; what the unit says is started below.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
site=http://127.0.0.1:$port

# Starts the server as its unit does: by its user, with the unit's variables and command.
start() {
    local unit=$root/lib/systemd/system/annon.service
    mapfile -t settings < <(sed -n 's/^Environment=//p' "$unit" | tr ' ' '\n')
    read -ra command < <(sed -n 's/^ExecStart=//p' "$unit")
    chroot "$root" setpriv --reuid=annon --regid=annon --clear-groups --no-new-privs \
        /usr/bin/env -i "${settings[@]}" "ANNON_LISTEN=127.0.0.1:$port" ANNON_METRICS_LISTEN=off "${command[@]}" \
        >> target/deb/server.log 2>&1 &
    server=$!
    for _ in $(seq 200); do
        curl -sf "$site/readyz" >/dev/null && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat target/deb/server.log >&2
    fail "the server doesn't start"
}
stop() { kill "$server"; wait "$server" || fail "the server ends with $?"; server=; }
as_operator() { inside annon "$@" --data-dir /var/lib/annon; }

inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends "/tmp/$(basename "$before")" >/dev/null 2> target/deb/install.log || { cat target/deb/install.log >&2; fail "install"; }
say "installed $(inside dpkg-query -W annon)"
inside id annon >/dev/null || fail "there is no user"
[ -L "$root/etc/systemd/system/multi-user.target.wants/annon.service" ] || fail "the service isn't enabled"
[ -e "$root/lib/systemd/system/annon.socket" ] || fail "there is no unit for the port"
[ ! -e "$root/etc/systemd/system/sockets.target.wants/annon.socket" ] || fail "the unit for the port is enabled by itself"
for page in annon annon-backup annon-user-list; do
    zcat "$root/usr/share/man/man1/$page.1.gz" | grep -q '^\.TH ' || fail "there is no page $page in the manual"
done
bash -c "source '$root/usr/share/bash-completion/completions/annon' && complete -p annon" >/dev/null || fail "bash completes nothing"
# systemd makes this folder when it starts the service.
install -d -m 0700 -o "$(inside id -u annon)" -g "$(inside id -g annon)" "$root/var/lib/annon"

echo 'security-contact = "safe@changed.example"' >> "$root/etc/annon/annon.toml"
start
[[ $(curl -sf "$site/") == *'<html'* ]] || fail "there is no page"
curl -sf -H 'Content-Type: application/json' -d '{"email":"a@example.org","username":"some-body","password":"correct horse battery"}' \
    "$site/api/register" >/dev/null || fail "nobody can sign up"
as_operator user list | grep -q some-body || fail "the account isn't there"

# apt stops and starts the service around an upgrade; here it goes on until it is started anew.
inside dpkg -i "/tmp/$(basename "$now")" >/dev/null 2>> target/deb/install.log || fail "upgrade over a running server"
as_operator user list | grep -q some-body || fail "the running server doesn't answer after the upgrade"
stop
start
as_operator user list | grep -q some-body || fail "the upgrade has lost an account"
curl -sf "$site/.well-known/security.txt" | grep -q changed.example || fail "the upgrade has overwritten the settings"
say "upgraded to $(inside dpkg-query -W annon)"
stop

inside dpkg -r annon >/dev/null 2>&1
[ -e "$root/var/lib/annon/secret" ] || fail "removing the package removes the data"
inside dpkg -P annon >/dev/null 2>&1
for left in var/lib/annon etc/annon usr/bin/annon lib/systemd/system/annon.service; do
    [ ! -e "$root/$left" ] || fail "$left is left after purging"
done
say "removed and purged"
