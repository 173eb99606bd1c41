#!/usr/bin/env bash
# Type check, lint, and all tests, or those of the files that are named. Installs what they need, so
# that none is skipped. The last line counts what the test runner ran.
set -euo pipefail

ACTIONLINT_VERSION=v1.7.12

# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.tools/bin:$PATH:/usr/sbin"

# A browser, a second load tool, hosts that ssh reaches, a profiler of the kernel. Tests of what
# can't be installed without a password are skipped, and counted as such.
packages=
for each in node=nodejs npx=npm chromium wrk sshd=openssh-server ssh=openssh-client ip=iproute2 perf=linux-perf git python3; do
  command -v "${each%=*}" >/dev/null || packages+=" ${each#*=}"
done
python3 -c 'import ensurepip' 2>/dev/null || packages+=' python3-venv'
if [ -n "$packages" ] && [ ! -e .tools/no-system ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "test: outside of the project: installing$packages with apt-get (scripts/setup.sh --no-system prevents that)"
  apt-get update -qq >/dev/null 2>&1 || true
  # One by one, so that what a system lacks keeps no other away. In no runlevel in which a server
  # would be started.
  for package in $packages; do
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=120 "$package" >/dev/null 2>&1 ||
      echo "test: $package can't be installed"
  done
fi

scripts/setup.sh --with-locust || scripts/setup.sh
# It knows what GitHub would refuse of a workflow.
if ! command -v actionlint >/dev/null && command -v go >/dev/null; then
  GOBIN=$PWD/.tools/bin go install "github.com/rhysd/actionlint/cmd/actionlint@$ACTIONLINT_VERSION" 2>/dev/null ||
    echo "test: actionlint can't be installed"
fi
bun run check

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
# Tests wait more than they compute, and none depends on how fast the machine is.
bun test --parallel=6 --max-concurrency=6 --reporter=junit --reporter-outfile="$report" "$@" || status=$?

# The counts stand in the attributes of the report's first element.
count() { sed -n "s/.*<testsuites [^>]*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
total=$(count tests) failed=$(count failures) skipped=$(count skipped)
passed=$((${total:-0} - ${failed:-0} - ${skipped:-0}))
if [ "$passed" -le 0 ]; then status=1; fi
echo "tests: $passed passed, ${failed:-0} failed, ${skipped:-0} skipped"
exit "$status"
