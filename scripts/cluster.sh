#!/usr/bin/env bash
# Runs three nodes on this machine, with what docs/CLUSTER.md asks for: PostgreSQL with a
# synchronous standby, the keys' database in a server of its own, and HAProxy before the nodes.
# Says what dies, and ends everything at Ctrl-C.
#
#   scripts/cluster.sh [--port 8080] [--data FOLDER]
#
# The nodes take the three ports after that of HAProxy. Without --data all of it is in a temporary
# folder, which is removed at the end.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
annon=${ANNON_BIN:-$root/target/debug/annon}
port=8080
data=
while [ $# -gt 0 ]; do
    case $1 in
        --port) port=$2 ;;
        --data) mkdir -p "$2" && data=$(cd "$2" && pwd) ;;
        *) sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done

need=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || need+=(postgresql)
[ -x /usr/sbin/haproxy ] || need+=(haproxy)
[ ${#need[@]} -eq 0 ] || bash "$root/scripts/apt_install.sh" "${need[@]}"
pg=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1)

umask 077
# Sockets have short paths, so they are not in the folder that is kept.
run=$(mktemp -d /tmp/annon-cluster-XXXXXX)
data=${data:-$run}
sockets=$run/sockets
postgres=$data/postgres
mkdir -p "$sockets" "$postgres"
cd "$run"
# PostgreSQL refuses to run as root.
as_postgres=()
as_command=()
if [ "$(id -u)" -eq 0 ]; then
    as_postgres=(--reuid=postgres --regid=postgres --clear-groups)
    as_command=(setpriv "${as_postgres[@]}")
    chmod 711 "$run" "$data"
    chown -R postgres "$sockets" "$postgres"
fi

# What runs: its name by its process id, and the process id by its name.
declare -A name_of pid_of

# Starts what is named, in a session of its own: Ctrl-C is for this script. If this script is
# killed, the kernel sends the signal.
start() { # NAME SIGNAL [option of setpriv...] -- COMMAND...
    local name=$1 signal=$2
    shift 2
    setsid setpriv --pdeathsig "$signal" "$@" </dev/null >>"$data/$name.log" 2>&1 &
    name_of[$!]=$name
    pid_of[$name]=$!
}

stop() { # NAME SIGNAL
    local pid=${pid_of[$1]:-}
    [ -n "$pid" ] || return 0
    kill -"$2" "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    unset "pid_of[$1]"
}

failed() { # NAME
    echo "$1 doesn't start. The end of its log:" >&2
    tail -n 15 "$data/$1.log" >&2
    exit 1
}

wait_for() { # NAME COMMAND...
    local name=$1
    shift
    until "$@" >/dev/null 2>&1; do
        kill -0 "${pid_of[$name]}" 2>/dev/null || failed "$name"
        sleep 0.1
    done
}

end() {
    trap '' INT TERM HUP
    echo "ending"
    stop balancer TERM
    # With the second signal a node doesn't wait until its members have gone to another one.
    for node in one two three; do [ -z "${pid_of[$node]:-}" ] || kill "${pid_of[$node]}" 2>/dev/null || true; done
    for node in one two three; do stop "$node" INT; done
    # A primary that ends waits for its standby.
    for server in record keys standby; do stop "$server" INT; done
    rm -rf "$run"
}
trap end EXIT
trap 'exit 0' INT TERM HUP

as() { "${as_command[@]}" "$@"; }
ask() { as "$pg/psql" -XAtq -v ON_ERROR_STOP=1 -h "$sockets" -U postgres "$@"; }

database() { # NAME PORT SETTING...
    local name=$1 at=$2
    shift 2
    if [ ! -e "$postgres/$name" ]; then
        as "$pg/initdb" -D "$postgres/$name" -U postgres --auth=trust --encoding=UTF8 --locale=C >>"$data/$name.log" 2>&1 \
            || failed "$name"
    fi
    # Nobody but this user (and root) can open the folder of the socket.
    start "$name" INT "${as_postgres[@]}" -- "$pg/postgres" -D "$postgres/$name" -k "$sockets" -p "$at" \
        -c listen_addresses= -c max_connections=200 -c shared_buffers=64MB "${@/#/--}"
    wait_for "$name" as "$pg/pg_isready" -q -h "$sockets" -p "$at"
}

# A standby that was promoted is the record of the next start.
if [ -e "$postgres/standby" ] && [ ! -e "$postgres/standby/standby.signal" ]; then
    rm -rf "$postgres/record"
    mv "$postgres/standby" "$postgres/record"
fi
rm -rf "$postgres/standby"
database record 5431 synchronous_standby_names=standby
export PGOPTIONS='-c synchronous_commit=local' # nobody stands by yet
if [ -z "$(ask -p 5431 -c "SELECT 1 FROM pg_database WHERE datname = 'annon'")" ]; then
    ask -p 5431 -c 'CREATE ROLE annon LOGIN' -c 'CREATE DATABASE annon OWNER annon'
fi
unset PGOPTIONS
as "$pg/pg_basebackup" -D "$postgres/standby" -R -c fast \
    -d "host=$sockets port=5431 user=postgres application_name=standby" 2>>"$data/standby.log"
database standby 5432 synchronous_standby_names=
database keys 5433 archive_mode=off wal_keep_size=0 wal_recycle=off min_wal_size=32MB max_wal_size=64MB \
    log_statement=none log_min_duration_statement=-1
if [ -z "$(ask -p 5433 -c "SELECT 1 FROM pg_database WHERE datname = 'annon'")" ]; then
    ask -p 5433 -c 'CREATE ROLE annon LOGIN' -c 'CREATE DATABASE annon OWNER annon' -c 'GRANT pg_checkpoint TO annon'
    ask -p 5433 -d annon -c 'GRANT EXECUTE ON FUNCTION pg_switch_wal() TO annon'
fi

[ -e "$data/secret" ] || "$annon" secret "$data/secret" >/dev/null
cat >"$data/settings" <<SETTINGS
export ANNON_DATABASE_URL='host=$sockets,$sockets port=5431,5432 user=annon dbname=annon'
export ANNON_KEYS_URL='host=$sockets port=5433 user=annon dbname=annon'
export ANNON_SECRET_FILE='$data/secret' ANNON_MAIL_FOLDER='$data/mails'
export ANNON_PUBLIC_URL=http://127.0.0.1:$port ANNON_TRUSTED_PROXIES=127.0.0.1 ANNON_DRAIN_SECONDS=2
SETTINGS
. "$data/settings"
at=$port
for node in one two three; do
    at=$((at + 1))
    start "$node" TERM -- "$annon" --node-name "$node" --data-dir "$data/$node" --listen "127.0.0.1:$at" --metrics-listen off
    wait_for "$node" "$annon" healthcheck --listen "127.0.0.1:$at"
done
export ANNON_BIND=127.0.0.1:$port ANNON_ONE=127.0.0.1:$((port + 1)) ANNON_TWO=127.0.0.1:$((port + 2)) ANNON_THREE=127.0.0.1:$at
start balancer TERM -- /usr/sbin/haproxy -db -f "$root/deploy/haproxy.cfg"
wait_for balancer "$annon" healthcheck --listen "127.0.0.1:$port"
unset ANNON_BIND ANNON_ONE ANNON_TWO ANNON_THREE

cat <<SAID

Annon is at http://127.0.0.1:$port. Ctrl-C ends all of it.

$(for name in balancer one two three record standby keys; do printf '  %-10s process %-8s log %s\n' "$name" "${pid_of[$name]}" "$data/$name.log"; done)

Mails are in $data/mails. Try, in another terminal:

  # Whoever is at node two goes on at another node. Without -9 it sends them there one by one.
  kill -9 ${pid_of[two]}

  # Messages wait until the standby is the database.
  kill -9 ${pid_of[record]}
  ${as_command[*]:+${as_command[*]} }$pg/pg_ctl promote -D $postgres/standby

  # Who is alive, as annon knows it.
  . $data/settings && $annon nodes

SAID

while [ ${#pid_of[@]} -gt 0 ]; do
    gone=
    wait -n -p gone 2>/dev/null || true
    name=${name_of[$gone]:-}
    [ -n "$name" ] || continue
    unset "pid_of[$name]"
    echo "$(date +%T) $name (process $gone) is gone; there are still: $(echo "${!pid_of[@]}" | tr ' ' '\n' | sort | xargs)"
done
