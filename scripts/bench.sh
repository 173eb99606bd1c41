#!/usr/bin/env bash
# Measures what instrumentation costs: compares the servers of a suite with their baseline, pair by
# pair, and prints the change per request as a table. scripts/bench.sh --help lists the options.
#
# The load on each server, 30 s in slices of 1 s, is that of
#
#     bombardier --fasthttp -c 100 -d 30s http://localhost:3000/
#
# By hand: start a server in one terminal (bun run trace-active.ts), and run this line in a second
# one.
set -euo pipefail
# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# A clone that can't be written runs as a copy in the user's cache. Results are in the current
# folder in any case.
if [ ! -w "$root" ]; then
  copy=${XDG_CACHE_HOME:-~/.cache}/tracetax/$(printf %s "$root" | cksum | tr ' ' -)
  mkdir -p "$copy"
  # Another run may copy, or use the copy: nothing is taken away from it.
  exec 8>"$copy.lock"
  if command -v flock >/dev/null; then flock 8; fi
  # With its times: a file of a newer version may be older than this copy.
  cp -Rpu "$root/." "$copy/"
  chmod -R u+w "$copy"
  exec 8>&-
  root=$copy
fi
"$root/scripts/setup.sh" >&2
# Messages name the command as it was called, fit for a shell.
TRACETAX_CALLED=$(printf %q "$0")
export TRACETAX_CALLED
# Scenarios that say `bun` get the one that runs tracetax.
export PATH="$root/.tools/bin:$PATH"
# What bunfig.toml of this folder preloads is for its servers.
exec bun --config=/dev/null "$root/harness/cli.ts" "$@"
