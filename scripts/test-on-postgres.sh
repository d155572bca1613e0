#!/usr/bin/env bash
# Runs tests on an installed Postgres instead of the embedded one, in a cluster of its own:
#   scripts/test-on-postgres.sh /usr/lib/postgresql/15/bin test/infrastructure/event-store
set -euo pipefail
bin=$1
shift

# In memory if there is room: creating and dropping databases waits for the disk.
parent=${TMPDIR:-/tmp}
if [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)" -gt 6000000 ] 2>/dev/null; then parent=/dev/shm; fi
folder=$(mktemp -d -p "$parent")
# As root, Postgres runs as the user that its package made.
as_owner=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_owner=(runuser -u postgres --)
fi
settings='-c listen_addresses= -c max_connections=300 -c fsync=off -c synchronous_commit=off'
stop() {
  "${as_owner[@]}" "$bin/pg_ctl" --pgdata "$folder/data" --mode immediate stop >/dev/null
  rm -rf "$folder"
}

"${as_owner[@]}" "$bin/initdb" --encoding UTF8 --pgdata "$folder/data" --username postgres --auth trust >/dev/null
"${as_owner[@]}" "$bin/pg_ctl" --pgdata "$folder/data" --log "$folder/log" --options "$settings -k $folder" --wait start >/dev/null
trap stop EXIT
chmod 755 "$folder"
export PG_DUMP="$bin/pg_dump"
DATABASE_URL="postgres://postgres@localhost/postgres?host=$folder" npx jest "$@"
