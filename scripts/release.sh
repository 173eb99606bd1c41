#!/usr/bin/env bash
# Releases a version: scripts/release.sh 0.4.0. It checks that nothing stands in the way, writes the
# version into package.json and the documents, runs all tests, commits and tags, publishes the
# package, and pushes. --dry-run stops before the commit, and takes back what it wrote.
set -euo pipefail
# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'release: %s\n' "$*" >&2; exit 1; }

version= dry_run=
for word in "$@"; do
  case $word in
    --dry-run) dry_run=yes ;;
    *) version=$word ;;
  esac
done
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
  { echo 'release: say which version, such as scripts/release.sh 0.4.0' >&2; exit 2; }

address=$(npm pkg get repository.url | tr -d '"')
if [[ $address = *THE_OWNER* && -z $dry_run ]]; then
  fail 'package.json does not say where the repository is: npm pkg set repository.url=git+https://github.com/OWNER/tracetax.git'
fi
[ -z "$(git status --porcelain)" ] || fail 'there are changes that are not committed: commit or stash them'
[ "$(git branch --show-current)" = main ] || fail 'this is not the branch main: git switch main'
[ -z "$(git tag --list "v$version")" ] || fail "v$version is released already: take the next version"
newest=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
[ "$newest" = "$version" ] ||
  fail "CHANGELOG.md begins with $newest: write under \"## $version\" what users notice"
[ -n "$dry_run" ] || npm whoami >/dev/null 2>&1 || fail 'npm does not know you: npm login'

# Whatever ends it before the commit, another try begins with the same files.
trap 'git restore .' EXIT
npm pkg set "version=$version"
scripts/setup.sh --packages-only
.tools/bin/bun scripts/release-names.ts
scripts/test.sh
if [ -n "$dry_run" ]; then
  npm publish --dry-run
  exit
fi
git diff --quiet || git commit --quiet --all --message "Release $version"
git tag --annotate "v$version" --message "$version"
# What is published can't be taken back, so it comes last.
git push --atomic origin main "v$version" || {
  git tag --delete "v$version"
  fail 'the push was refused, so nothing is released: git pull --rebase, and try again'
}
npm publish || fail "v$version is pushed, but not published: npm publish"
