#!/usr/bin/env bash
# Compares the servers of a suite: a fresh server for each, the load below against it, and the difference of the
# latency per request from the baseline as a table. scripts/bench.sh --help lists the options.
set -euo pipefail

# The load on each server; --connections and --duration change its -c and -d.
export TRACETAX_LOAD='bombardier --fasthttp -c 100 -d 30s'

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/setup.sh" >&2
# Scenarios that say `bun` get the one that runs the kit.
export PATH="$root/.tools/bin:$PATH"
exec bun "$root/harness/cli.ts" "$@"
