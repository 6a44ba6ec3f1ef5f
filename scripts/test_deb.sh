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

# Here nothing of it runs; scripts/test_static.sh runs its binary.
if [ -e target/static/annon-arm64 ]; then
    other=$(DEB_ARCH=arm64 bash scripts/deb.sh)
    [ "$(dpkg-deb --field "$other" Architecture)" = arm64 ] || fail "$other is for another architecture"
    dpkg-deb --fsys-tarfile "$other" | tar -xO ./usr/lib/annon/annon | cmp - target/static/annon-arm64 || fail "$other has another binary"
    lintian --allow-root --fail-on error "$other"
    say "the package for arm64 has the static binary"
fi

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
# The package's command finds the service's folder and settings by itself.
as_operator() { inside annon "$@"; }

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

as_operator check-config | grep -q '^security-contact .*safe@changed.example' || fail "the command doesn't find the settings"
inside annon user list --data-dir /nowhere 2>/dev/null && fail "the command finds the folder, though another is named"
for example in one/nginx.conf one/Caddyfile one/haproxy.cfg fail2ban/filter.conf fail2ban/jail.conf prometheus/alerts.yml grafana/annon.json; do
    [ -e "$root/usr/share/doc/annon/examples/$example" ] || fail "there is no example $example"
done
# What root writes there, the service couldn't read.
stop
! inside annon --listen 127.0.0.1:1 2> target/deb/root.log || fail "root can start a server on the service's folder"
grep -q 'belongs to another user' target/deb/root.log || { cat target/deb/root.log >&2; fail "root isn't told why"; }
start

# apt stops and starts the service around an upgrade; here it goes on until it is started anew.
inside dpkg -i "/tmp/$(basename "$now")" >/dev/null 2>> target/deb/install.log || fail "upgrade over a running server"
as_operator user list | grep -q some-body || fail "the running server doesn't answer after the upgrade"
stop
start
as_operator user list | grep -q some-body || fail "the upgrade has lost an account"
curl -sf "$site/.well-known/security.txt" | grep -q changed.example || fail "the upgrade has overwritten the settings"
say "upgraded to $(inside dpkg-query -W annon)"
stop

# What an upgrade does to the units. In place of systemd stands what records each call to it, and knows
# which units are active: all three are, as on a machine with backups whose port systemd keeps.
units=(annon.service annon.socket annon-backup.timer)
inside dpkg -i "/tmp/$(basename "$before")" >/dev/null 2>> target/deb/install.log || fail "back to the version before"
install -D -m 0755 /dev/stdin "$root/usr/bin/systemctl" <<'END'
#!/bin/sh
echo "$*" >> /tmp/systemctl.log
verb='' units='' status=0
for word; do
    case $word in
        -*) ;;
        *) if [ -z "$verb" ]; then verb=$word; else units="$units $word"; fi ;;
    esac
done
for unit in $units; do
    case $verb in
        is-enabled) if ls /etc/systemd/system/*.wants/"$unit" >/dev/null 2>&1; then echo enabled; else echo disabled; status=1; fi ;;
        is-active) [ -e "/tmp/active/$unit" ] || status=3 ;;
        start | restart) touch "/tmp/active/$unit" ;;
        stop) rm -f "/tmp/active/$unit" ;;
    esac
done
exit $status
END
printf '#!/bin/sh\nexit 0\n' > "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/run/systemd/system" "$root/tmp/active" "$root/etc/systemd/system/sockets.target.wants" "$root/etc/systemd/system/timers.target.wants"
ln -sf /lib/systemd/system/annon.socket "$root/etc/systemd/system/sockets.target.wants/annon.socket"
ln -sf /lib/systemd/system/annon-backup.timer "$root/etc/systemd/system/timers.target.wants/annon-backup.timer"
for unit in "${units[@]}"; do touch "$root/tmp/active/$unit"; done
inside dpkg -i "/tmp/$(basename "$now")" >/dev/null 2>> target/deb/install.log || fail "upgrade with a systemd"
for unit in "${units[@]}"; do
    [ -e "$root/tmp/active/$unit" ] || { cat "$root/tmp/systemctl.log" >&2; fail "$unit was active, and isn't after an upgrade"; }
done
# Whoever connects meanwhile waits at the port, which systemd keeps open.
if grep -E '^(.* )?stop .*annon\.socket' "$root/tmp/systemctl.log"; then fail "an upgrade closes the port"; fi
grep -qE '^(.* )?restart .*annon\.service' "$root/tmp/systemctl.log" || fail "an upgrade doesn't start the new version"
say "an upgrade leaves active units active"

inside dpkg -r annon >/dev/null 2>&1
for unit in "${units[@]}"; do
    [ ! -e "$root/tmp/active/$unit" ] || fail "$unit goes on without the package"
done
rm -r "$root/run/systemd/system" "$root/usr/bin/systemctl"
[ -e "$root/var/lib/annon/secret" ] || fail "removing the package removes the data"
install -d -m 0700 "$root/var/lib/annon-backups"
echo keys > "$root/var/lib/annon-backups/annon-2026-01-01-033000"
inside dpkg -P annon 2>&1 >/dev/null | grep -q 'annon-backups are left' || fail "purging doesn't say what becomes of the backups"
[ -e "$root/var/lib/annon-backups/annon-2026-01-01-033000" ] || fail "purging removes backups, and says that it doesn't"
for left in var/lib/annon etc/annon usr/bin/annon usr/lib/annon lib/systemd/system/annon.service; do
    [ ! -e "$root/$left" ] || fail "$left is left after purging"
done
say "removed and purged"
