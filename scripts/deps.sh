#!/usr/bin/env bash
# Installs Debian packages that the tests need beyond Rust and Node: three browsers (Chromium twice:
# with its own windows, and without), a display for one of them, a font for emoji, a mail server, openssl for a temporary certificate, btrfs for tests
# on a disk of that kind; PostgreSQL, Patroni with etcd, PgBouncer, NATS, HAProxy, nginx, Caddy and
# Prometheus, which the tests start themselves; fail2ban, which reads lines for them; and faketime, for a
# clock that is ahead. Then testers
# from PyPI, each into an environment of its own in the cache folder.
set -euo pipefail

need=()
have() { command -v "$1" >/dev/null 2>&1; }
have chromium || need+=(chromium)
have chromium-headless-shell || need+=(chromium-headless-shell)
have firefox-esr || need+=(firefox-esr)
have WebKitWebDriver || need+=(webkit2gtk-driver)
have Xvfb || need+=(xvfb)
have openssl || need+=(openssl)
have mkfs.btrfs || [ -x /usr/sbin/mkfs.btrfs ] || need+=(btrfs-progs)
have curl || need+=(curl)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || need+=(postgresql)
[ -x /usr/sbin/haproxy ] || need+=(haproxy)
[ -x /usr/sbin/nginx ] || need+=(nginx-light)
[ -x /usr/sbin/pgbouncer ] || need+=(pgbouncer)
[ -x /usr/bin/patroni ] || need+=(patroni)
[ -x /usr/bin/etcd ] || need+=(etcd-server)
have promtool || need+=(prometheus)
have caddy || need+=(caddy)
have fail2ban-regex || need+=(fail2ban)
compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null || need+=(faketime)
[ -x /usr/sbin/nats-server ] || need+=(nats-server)
[ -e /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf ] || need+=(fonts-noto-color-emoji)
/usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null || need+=(python3-aiosmtpd)

/usr/bin/python3 -c 'import ensurepip' 2>/dev/null || need+=(python3-venv)

for tool in cargo node npm; do
    have "$tool" || { echo "$tool is missing: install Rust (https://rustup.rs) and Node 20.19 or newer first" >&2; exit 1; }
done
[ ${#need[@]} -eq 0 ] || bash "$(dirname "$0")/apt_install.sh" "${need[@]}"

# The list of a tester has its version and those of all it needs.
for list in "$(dirname "$0")"/testers/*.txt; do
    at="${XDG_CACHE_HOME:-$HOME/.cache}/annon/$(basename "$list" .txt)"
    cmp -s "$list" "$at/installed" && continue
    rm -rf "$at"
    /usr/bin/python3 -m venv "$at"
    "$at/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$list"
    cp "$list" "$at/installed"
done
