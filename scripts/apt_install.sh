#!/usr/bin/env bash
# Installs the Debian packages that are named. What Debian starts by itself because of them is
# stopped: nobody here uses it.
set -euo pipefail
command -v apt-get >/dev/null || { echo "install these first: $*" >&2; exit 1; }
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
echo "installing: $*"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
if [[ " $* " == *" postgresql "* ]]; then
    # Otherwise Debian makes a server of its own.
    "${sudo[@]}" apt-get install -y -qq --no-install-recommends postgresql-common >/dev/null
    "${sudo[@]}" sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
fi
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
for service in haproxy nginx pgbouncer nats-server prometheus caddy etcd patroni fail2ban; do
    if [[ " $* " == *" $service"* ]] && command -v systemctl >/dev/null; then
        "${sudo[@]}" systemctl disable --now --quiet "$service" 2>/dev/null || true
    fi
done
