#!/usr/bin/env bash
# Makes a fresh machine ready: installs Bun, the dependencies, and a load tool into .tools/ and
# node_modules/, and says so. If there is nothing to do, it is quick and says nothing. The load tool
# is a bombardier on PATH, else one that Go installs. Only if that fails it is wrk, a package of the
# system, which is then installed outside of the project; scripts/test.sh does so with chromium.
# --no-system prevents both, now and in later runs. --with-locust also installs Locust, and
# --packages-only no load tool. npm, Bun and Go take proxies and registries from their own
# variables: HTTPS_PROXY, NPM_CONFIG_REGISTRY, GOPROXY.
set -euo pipefail
# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH

BUN_VERSION=1.4.5
BUN_AT_LEAST=1.4.0
LOCUST_VERSION=2.47.0

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/load-tool.sh
# Of several set-ups at once, one installs, and the others then find it done.
if command -v flock >/dev/null; then
  exec 9>"$tools/lock"
  flock 9
fi
with_locust=
packages_only=
for option in "$@"; do
  case $option in
    --no-system) touch "$no_system" ;;
    --with-locust) with_locust=yes ;;
    --packages-only) packages_only=yes ;;
    *) printf 'setup: there is no option %s, only --no-system, --with-locust and --packages-only\n' "$option" >&2; exit 2 ;;
  esac
done

is_recent_bun() {
  local version
  version=$("$1" --version 2>/dev/null) || return 1
  [ "$(printf '%s\n' "$BUN_AT_LEAST" "$version" | sort -V | head -n 1)" = "$BUN_AT_LEAST" ]
}

setup_bun() {
  local bun
  if ! { bun=$(bun_on_path) && is_recent_bun "$bun"; }; then
    bun=$tools/bun/node_modules/.bin/bun
    is_recent_bun "$bun" || install_bun
  fi
  ln -sf "$bun" "$tools/bin/bun"
}

# Without the link that this script makes, which may be on PATH itself.
bun_on_path() {
  local bun
  while read -r bun; do
    [ "${bun%/*}" -ef "$tools/bin" ] || { echo "$(cd "${bun%/*}" && pwd)/bun"; return; }
  done < <(type -ap bun)
  return 1
}

install_bun() {
  command -v npm >/dev/null || fail "Bun $BUN_AT_LEAST or newer is missing, and so is npm to install it. Install Bun (https://bun.sh) or Node with npm."
  say "Bun $BUN_AT_LEAST or newer is not on PATH: installing $BUN_VERSION from npm into .tools/"
  mkdir -p "$tools/bun"
  npm install --loglevel=error --no-audit --no-fund --no-save --prefix "$tools/bun" "bun@$BUN_VERSION" >/dev/null 2>"$tools/npm.log" ||
    fail "npm could not install bun@$BUN_VERSION: $(reason_of_npm)"
  # npm may have skipped the script that puts the binary in its place.
  is_recent_bun "$tools/bun/node_modules/.bin/bun" || (cd "$tools/bun/node_modules/bun" && node install.js >>"$tools/npm.log" 2>&1) || true
  is_recent_bun "$tools/bun/node_modules/.bin/bun" ||
    fail "bun@$BUN_VERSION was installed but does not run. Install Bun by hand (https://bun.sh)."
}

# Its first lines say it; the last ones are the same for every error.
reason_of_npm() {
  local reason
  reason=$(sed -nE 's/^npm (error|ERR!) //p' "$tools/npm.log" | head -n 4)
  printf '%s (all of it is in .tools/npm.log)' "${reason:-$(tail -n 3 "$tools/npm.log")}" | tr '\n' ' '
}

setup_dependencies() {
  # A stamp beside the packages: an unchanged lockfile needs no look at them.
  local stamp=node_modules/.setup-lock
  if cmp -s bun.lock "$stamp"; then return; fi
  say 'installing the dependencies of bun.lock'
  "$tools/bin/bun" install --frozen-lockfile --silent || fail 'the dependencies could not be installed. Check the network, and whether bun.lock fits package.json.'
  cp bun.lock "$stamp"
}

setup_locust() {
  local folder=$tools/locust
  if [[ $("$folder/bin/locust" --version 2>/dev/null) != "locust $LOCUST_VERSION "* ]]; then
    say "installing Locust $LOCUST_VERSION from PyPI with pip into .tools/"
    python3 -m venv --clear "$folder" >"$tools/locust.log" 2>&1 ||
      fail "python3 could not make a virtual environment for Locust: $(tail -n 1 "$tools/locust.log"). Install Python 3.11 or newer with venv."
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "locust==$LOCUST_VERSION" >"$tools/locust.log" 2>&1 ||
      fail "pip could not install locust==$LOCUST_VERSION: $(grep ERROR "$tools/locust.log" | tail -n 1) (all of it is in .tools/locust.log)"
    ln -sf "$folder/bin/locust" "$tools/bin/locust"
    say "load tool: $(found locust)"
  fi
}

setup_bun
setup_dependencies
[ -z "$packages_only" ] || exit 0
setup_load_tool
setup_rate_tool
[ -z "$with_locust" ] || setup_locust
