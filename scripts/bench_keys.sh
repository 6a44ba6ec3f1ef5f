#!/usr/bin/env bash
# How long the tables of keys are locked while a server writes them anew, with many keys (KEYS=10000000), of which one in
# every table has died. Others read keys all the time, and what they waited is measured. Everything is in a temporary
# folder. Ten million keys take about 3 GB there.
set -euo pipefail
cd "$(dirname "$0")/.."
annon=${ANNON_BIN:-$PWD/target/release/annon}
keys=${KEYS:-10000000}
# store/src/postgres/keys/parts.rs: OF_NO_DAY.
tables=${TABLES:-1024}
pg=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1)

umask 077
run=$(mktemp -d /tmp/annon-keys-XXXXXX)
as_postgres=()
if [ "$(id -u)" -eq 0 ]; then
    as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chmod 711 "$run"
fi
mkdir "$run/files"
[ "$(id -u)" -ne 0 ] || chown postgres "$run/files"
as() { (cd "$run/files" && "${as_postgres[@]}" "$@"); }
ask() { as "$pg/psql" -XAtq -v ON_ERROR_STOP=1 -h "$run/files" -U postgres "$@"; }
server=
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    as "$pg/pg_ctl" stop -m immediate -D data >/dev/null 2>&1 || true
    rm -rf "$run"
}
trap end EXIT

as "$pg/initdb" -D data -U postgres --auth=trust --encoding=UTF8 --locale=C >"$run/log"
# As docs/CLUSTER.md has it, and the duration of every statement that takes longer than 10 ms.
as "$pg/pg_ctl" start -w -l log -D data -o "-k $run/files -c listen_addresses= -c max_connections=100 -c wal_keep_size=0 \
    -c wal_recycle=off -c min_wal_size=32MB -c max_wal_size=64MB -c log_min_duration_statement=10" >/dev/null
for database in record keys; do ask -c "CREATE DATABASE $database"; done

start() {
    "$annon" --database-url "host=$run/files user=postgres dbname=record" --keys-url "host=$run/files user=postgres dbname=keys" \
        --secret-file "$run/secret" --mail-folder "$run/mails" --public-url http://127.0.0.1 --data-dir "$run/data" \
        --listen 127.0.0.1:0 --metrics-listen off --drain-seconds 0 >"$run/server" 2>&1 &
    server=$!
    until grep -q listening "$run/server"; do
        kill -0 "$server" || { cat "$run/server"; exit 1; }
        sleep 0.1
    done
}
"$annon" secret "$run/secret" >/dev/null
start
kill "$server"
wait "$server" || true

echo "making $keys keys in $tables tables"
ask -d keys -c "ALTER SYSTEM SET max_wal_size = '4GB'" -c 'SELECT pg_reload_conf()' >/dev/null
ask -d keys >/dev/null <<SQL
DO \$\$ BEGIN
    FOR n IN 1..$tables LOOP
        EXECUTE format('CREATE TABLE IF NOT EXISTS seal_key_n%s PARTITION OF seal_key FOR VALUES IN (%s)', n, -n);
    END LOOP;
END \$\$;
INSERT INTO seal_key (part, kind, owner, id, wrapped, born)
    SELECT -1 - ((n >> 16) # (n & 65535)) % $tables, 2, lpad(to_hex(n), 32, '0')::uuid, n,
        decode(md5(n::text) || md5('a' || n) || 'aabbccddeeff', 'hex'), now()
    FROM generate_series(1, $keys) AS n;
INSERT INTO dead_part SELECT part, 1 FROM (SELECT DISTINCT part FROM seal_key) p ON CONFLICT DO NOTHING;
DELETE FROM seal_key WHERE id <= $tables;
SQL
ask -d keys -c "ALTER SYSTEM RESET max_wal_size" -c 'SELECT pg_reload_conf()' -c CHECKPOINT >/dev/null
ask -d keys -c 'SELECT count(*), pg_size_pretty(sum(pg_total_relation_size(inhrelid))), min(pg_table_size(inhrelid)) / 1024, max(pg_table_size(inhrelid)) / 1024 FROM pg_inherits WHERE inhparent = $$seal_key$$::regclass' \
    | sed 's/\(.*\)|\(.*\)|\(.*\)|\(.*\)/\1 tables, \2, each \3 to \4 kB/'

# Readers of keys that are there: each waits for its answer, and is late after two seconds.
cat >"$run/files/lookup.sql" <<SQL
\\set n random($tables + 1, $keys)
SELECT wrapped FROM seal_key WHERE part = -1 - ((:n >> 16) # (:n & 65535)) % $tables AND kind = 2 \
    AND owner = lpad(to_hex(:n), 32, '0')::uuid AND id = :n;
SQL
chmod 644 "$run/files/lookup.sql"
(cd "$run/files" && exec "${as_postgres[@]}" "$pg/pgbench" -n -f lookup.sql -c 8 -R 1000 -T 3600 -l --log-prefix read \
    -h "$run/files" -U postgres keys) >"$run/readers" 2>&1 &
readers=$!
echo "a server writes them anew"
start
until [ "$(ask -d keys -c 'SELECT count(*) FROM dead_part WHERE deaths > 0')" = 0 ]; do sleep 0.5; done
kill "$readers"
wait "$readers" 2>/dev/null || true

figures() {
    sort -n | awk '{ all[NR] = $1 } END {
        printf "%d, median %.1f ms, p99 %.1f ms, longest %.1f ms\n", NR, all[int((NR + 1) / 2)], all[int(NR * 0.99 + 0.5)], all[NR]
    }'
}
printf 'tables written anew: '
grep -o 'duration: [0-9.]* ms  statement: VACUUM (FULL)' "$run/files/log" | awk '{ print $2 }' | figures
printf 'reads of a key meanwhile: '
awk '{ print $3 / 1000 }' "$run"/files/read.* | figures
