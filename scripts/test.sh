#!/usr/bin/env bash
# Type check, lint, and all tests. Does its own set-up. The last line counts what the test runner ran.
set -euo pipefail
# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
export PATH="$PWD/.tools/bin:$PATH"

# Tests of pages need a browser. If it can't be installed without a password, they are skipped and counted as such.
if [ ! -e .tools/no-system ] && ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo 'test: outside of the project: installing chromium with apt-get (scripts/setup.sh --no-system prevents that)'
  install='apt-get install -y -qq -o DPkg::Lock::Timeout=120 chromium'
  { $install || { apt-get update -qq && $install; }; } >/dev/null 2>&1 || true
fi

bun run check

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
bun test --reporter=junit --reporter-outfile="$report" "$@" || status=$?

# The counts stand in the attributes of the report's first element.
count() { sed -n "s/.*<testsuites [^>]*\b$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
total=$(count tests) failed=$(count failures) skipped=$(count skipped)
passed=$((${total:-0} - ${failed:-0} - ${skipped:-0}))
if [ "$passed" -le 0 ]; then status=1; fi
echo "tests: $passed passed, ${failed:-0} failed, ${skipped:-0} skipped"
exit "$status"
