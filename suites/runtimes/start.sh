# Starts the server, or says why it could not be built.
[ ! -e build/failed ] || { cat build/failed >&2; exit 1; }
exec "$@"
