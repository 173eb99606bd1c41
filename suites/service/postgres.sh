# A PostgreSQL of its own, in the folder for temporary files. It refuses to be root: another user is
# it then.
set -e
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :)
command -v initdb > /dev/null || { echo 'PostgreSQL (initdb) is not installed' >&2; exit 1; }
data=$TMPDIR/data
mkdir "$data"
as=
if [ "$(id -u)" = 0 ]; then
  user=$(id -nu postgres 2> /dev/null || echo nobody)
  # It may pass through the folders of root, and read nothing there.
  chmod 711 "$TMPDIR/.." "$TMPDIR"
  chown "$user" "$data"
  as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
cd "$data"
$as initdb --pgdata="$data" --username=tracetax --auth=trust --no-sync > /dev/null
echo 'CREATE TABLE users (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO users VALUES (1, $$Ada$$);' | tr '\n' ' ' | $as postgres --single -D "$data" postgres > /dev/null
exec $as postgres -D "$data" -h "$HOST" -p "$PORT" -k ''
