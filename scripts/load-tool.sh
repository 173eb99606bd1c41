#!/usr/bin/env bash
# Puts load tools where tracetax finds them. For full load: a bombardier on PATH, else one that Go
# installs into .tools/, else wrk, a package of the system, else an oha on PATH. For steady rates: an
# oha or vegeta on PATH, else a vegeta that Go installs. scripts/setup.sh reads this file, and
# "tracetax setup" runs it, with its Bun in $BUN.
set -euo pipefail

# The newest that Go takes by its version: the module path of v2 lacks the /v2 that Go wants.
BOMBARDIER_VERSION=v1.2.6
VEGETA_VERSION=v12.13.0

cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools=$PWD/.tools
bun=${BUN:-$tools/bin/bun}
# If this bombardier could not be installed, and another tool is there, this file keeps later runs
# from trying again.
no_bombardier=$tools/no-bombardier-$BOMBARDIER_VERSION
# If this file is there, nothing outside of the project is installed.
no_system=$tools/no-system
# A package may be installed where its user can't write.
mkdir -p "$tools/bin" 2>/dev/null || true

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# tracetax itself tells a load tool from another program of the same name.
found() { "$bun" harness/load/find.ts "$1" 2>/dev/null; }

setup_load_tool() {
  local tool has_failed=
  # Nothing to do, and nothing to say.
  if found bombardier || { [ -e "$no_bombardier" ] && { found wrk || found oha; }; }; then return; fi >/dev/null
  if install_bombardier && tool=$(found bombardier); then
    say "load tool: $tool"
  elif tool=$(found wrk) || { install_wrk && tool=$(found wrk); } || tool=$(found oha); then
    say "load tool: $tool, because bombardier could not be installed${has_failed:+ (rm $no_bombardier to try again)}"
    if [ -n "$has_failed" ]; then touch "$no_bombardier" 2>/dev/null || true; fi
  else
    fail 'no load tool. Install bombardier, wrk or oha, or set $BOMBARDIER.'
  fi
}

install_bombardier() {
  [ ! -e "$no_bombardier" ] || { has_failed=yes; return 1; }
  command -v go >/dev/null || { say 'bombardier is missing, and so is Go to install it'; return 1; }
  [ -w "$tools" ] || { say "bombardier is missing, and $tools can't be written"; return 1; }
  say "installing bombardier $BOMBARDIER_VERSION with go install into .tools/"
  # Without the flag, it says that its version is unspecified.
  GOBIN=$tools/bin go install -ldflags "-X main.version=$BOMBARDIER_VERSION" \
    "github.com/codesenberg/bombardier@$BOMBARDIER_VERSION" >"$tools/go.log" 2>&1 && return
  say "go install failed: $(tail -n 1 "$tools/go.log" | sed 's/^[[:space:]]*//')"
  has_failed=yes
  return 1
}

# Only if that asks for no password.
install_wrk() {
  # A package may be installed where its user can't write.
  local log=$tools/wrk.log
  [ -w "$tools" ] || log=/dev/null
  [ ! -e "$no_system" ] || { say "wrk is not installed, because of --no-system (rm $no_system to allow it)"; return 1; }
  if command -v brew >/dev/null; then
    say 'outside of the project: installing wrk with brew'
    brew install --quiet wrk >"$log" 2>&1
  elif command -v apt-get >/dev/null; then
    local sudo=() install=(apt-get install -y -qq -o DPkg::Lock::Timeout=120 wrk)
    # sudo takes no proxy from its caller.
    [ "$(id -u)" = 0 ] ||
      sudo=(sudo -n env "http_proxy=${http_proxy-}" "https_proxy=${https_proxy-}" "no_proxy=${no_proxy-}")
    "${sudo[@]}" true 2>/dev/null || return 1
    say 'outside of the project: installing wrk with apt-get'
    # Another apt-get may be at work.
    "${sudo[@]}" "${install[@]}" >"$log" 2>&1 && return
    # An old list of packages, or none.
    { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" "${install[@]}"; } >>"$log" 2>&1
  else
    return 1
  fi
}

# For steady rates: it times a request from when that was due. Without it, bombardier paces if it is
# there, in bursts.
setup_rate_tool() {
  local tool failed=$tools/no-vegeta-$VEGETA_VERSION
  if ! tool=$(found oha) && ! tool=$(found vegeta); then
    { [ ! -e "$failed" ] && [ -w "$tools" ] && command -v go >/dev/null; } || return 0
    say "installing vegeta $VEGETA_VERSION with go install into .tools/"
    GOBIN=$tools/bin go install -ldflags "-X main.Version=$VEGETA_VERSION" \
      "github.com/tsenart/vegeta/v12@$VEGETA_VERSION" >"$tools/go.log" 2>&1 && tool=$(found vegeta) ||
      { say "vegeta could not be installed: $(tail -n 1 "$tools/go.log") (rm $failed to try again)"; touch "$failed"; return 0; }
    say "load tool at a steady rate: $tool"
  fi
}

# Run, and not read.
if [ "$0" = "${BASH_SOURCE[0]}" ]; then
  setup_load_tool
  setup_rate_tool
fi
