#!/usr/bin/env bash
# The steps of the action (action.yml). "measure" compares HEAD with what was before it, and ends
# with the exit status of the comparison. "tell" writes what came of it into the summary of the job,
# and into one comment on the pull request, which is kept up to date.
set -euo pipefail
# With it, cd prints where it goes, or goes elsewhere.
unset CDPATH

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Tests have another one.
tracetax=${TRACETAX:-$root/scripts/bench.sh}
# Nothing is written into the checkout.
folder=$RUNNER_TEMP/tracetax/$NAME
comment=$folder/comment.md
result=$folder/result.json
# What servers say may be secret, and the folder is published.
log=$RUNNER_TEMP/tracetax/$NAME.log

fail() { printf 'action: %s\n' "$*" >&2; exit 2; }

# In the container of a job, the checkout is another user's.
export GIT_CONFIG_COUNT=$((${GIT_CONFIG_COUNT:-0} + 1))
export "GIT_CONFIG_KEY_$((GIT_CONFIG_COUNT - 1))=safe.directory"
export "GIT_CONFIG_VALUE_$((GIT_CONFIG_COUNT - 1))=*"
# The repository of the suite: a checkout may have a folder of its own.
repository=$(command git -C "$(dirname -- "${SUITE-.}")" rev-parse --show-toplevel 2>/dev/null) ||
  repository=.
git() { command git -C "$repository" "$@"; }

measure() {
  local status=0
  rm -rf "$folder"
  mkdir -p "$folder"
  keep_cores_awake
  # The log says what happens, and keeps why nothing was measured.
  compare 2>&1 >"$comment" | tee "$log" || status=${PIPESTATUS[0]}
  [ -s "$comment" ] || not_measured "$status" >"$comment"
  cat "$comment"
  annotate "$status"
  {
    echo "status=$status"
    echo "verdict=$(verdict_of "$status")"
    echo "folder=$folder"
    if [ -e "$result" ]; then echo "result=$result"; fi
  } >>"$GITHUB_OUTPUT"
  # For charts over time.
  if [ -e "$result" ]; then
    "$tracetax" report "$result" --format github-action-benchmark >"$folder/benchmark.json"
  fi
  exit "$status"
}

# Costs read too high if idle cores sleep.
keep_cores_awake() {
  if [ -e /dev/cpu_dma_latency ]; then sudo -n chmod a+rw /dev/cpu_dma_latency 2>/dev/null || true; fi
}

compare() {
  local base options
  base=$(base_revision) || return 2
  fetch_submodules "$base"
  # As a shell reads words, but with nothing expanded.
  read -r -d '' -a options <<<"$OPTIONS" || true
  "$tracetax" compare --git "$base" --suite "$SUITE" --fail-above "$LIMIT" --out "$result" \
    --format pull-request ${options[@]+"${options[@]}"}
}

# Prints the revision to compare with, once it is here: a checkout has one commit.
base_revision() {
  local commit
  if [ -n "$BASE" ]; then
    fetched "$BASE" "$BASE"
  elif [ -n "$PULL_REQUEST_BASE" ]; then
    base_of_pull_request
  elif [[ $PUSHED_AFTER =~ [1-9a-f] ]]; then
    fetched "$PUSHED_AFTER"
  else
    # A new branch, or no push at all.
    commit=$(first_parent) || fail 'HEAD has no commit before it: say with "base" what to compare with'
    fetched "$commit"
  fi
}

# If HEAD is the branch and not its merge, what the base got since is no part of the change.
base_of_pull_request() {
  local commit
  if commit=$(merged_into); then
    fetched "$commit" "$GITHUB_BASE_REF"
  elif commit=$(git merge-base HEAD "$PULL_REQUEST_BASE" 2>/dev/null); then
    fetched "$commit"
  else
    printf 'note: %s\n' "compared with the tip of $GITHUB_BASE_REF, which may have changes that this branch lacks: use fetch-depth: 0, or leave out ref" >&2
    fetched "$PULL_REQUEST_BASE" "$GITHUB_BASE_REF"
  fi
}

# What GitHub checks out of a pull request is its merge with the newest base, which the event may
# not know yet.
merged_into() {
  [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ] && [ "$(parents | wc -l)" = 2 ] && first_parent
}

# A shallow clone lacks the parents, but a commit names them.
parents() { git cat-file -p HEAD | sed -n '/^$/q; s/^parent //p'; }

first_parent() { parents | head -n 1 | grep .; }

# Fetches a revision if need be, and prints what to call it: by its name, if it gets one, because
# reports show that. The next checkout removes the branch.
fetched() {
  local revision=$1 name=${2-} commit
  if ! commit=$(commit_of "$revision"); then
    fetch "$repository" "$revision" ||
      fail "$revision can't be fetched: set \"base\" to a branch or a commit of this repository, or check out with fetch-depth: 0"
    commit=$(commit_of FETCH_HEAD)
  fi
  if [[ ! $name =~ ^[0-9a-f]*$ ]]; then
    git branch --quiet "$name" "$commit" 2>/dev/null || true
    if [ "$(commit_of "$name")" = "$commit" ]; then commit=$name; fi
  fi
  echo "$commit"
}

# Fetches a revision: without what was before it, unless the clone is whole. One commit alone would
# make that shallow.
fetch() {
  local depth=()
  if [ "$(command git -C "$1" rev-parse --is-shallow-repository)" = true ]; then depth=(--depth=1); fi
  command git -C "$1" fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$2"
}

# A checkout with submodules has the commits that HEAD names.
fetch_submodules() {
  local entry commit folder
  while IFS= read -r -d '' entry; do
    [[ $entry =~ ^160000\ commit\ ([0-9a-f]+)$'\t'(.*)$ ]] || continue
    commit=${BASH_REMATCH[1]}
    folder=$repository/${BASH_REMATCH[2]}
    [ -e "$folder/.git" ] || continue
    command git -C "$folder" cat-file -e "$commit^{commit}" 2>/dev/null ||
      fetch "$folder" "$commit" || true
  done < <(git ls-tree -r -z --full-tree "$1")
}

commit_of() { git rev-parse --quiet --verify "$1^{commit}"; }

verdict_of() {
  if [ ! -e "$result" ]; then
    echo not-measured
    return
  fi
  case $1 in
    0) echo passed ;;
    4) echo undecided ;;
    *) echo failed ;;
  esac
}

# What stands in place of a verdict: an older comment must not go on saying that all is well.
not_measured() {
  local reason
  reason=$(grep -E '^(tracetax|setup|action|error|fatal): ' "$log" | tail -n 1) || reason='the log says why'
  # What servers say and answer stays in the log.
  reason=$(sed -E 's/(; it said: |: expected "|, which leads to ").*/; the log says more/' <<<"$reason")
  printf '### Not measured\n\n`%s`\n' "${reason//\`/\'}"
}

# Shows the verdict above the log.
annotate() {
  local level=error headline
  if [ "$1" = 0 ]; then level=notice; fi
  # An annotation is plain text: it shows what a comment writes for < or *.
  headline=$(sed -n 's/^### //p' "$comment" | head -n 1 |
    sed -E 's/<!-- -->//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; s/\\([][\\`*|_~])/\1/g')
  echo "::$level title=$NAME::${headline//%/%25}"
}

tell() {
  [ -e "$comment" ] || exit 0
  local run=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
  printf '\nCommit %s, exit status %s, [log and result](%s).\n' "$HEAD_COMMIT" "$STATUS" "$run" >>"$comment"
  cat "$comment" >>"$GITHUB_STEP_SUMMARY"
  # A push has no pull request, and the token of a fork may not write.
  if [ -z "$PULL_REQUEST" ] || [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ]; then return; fi
  write_comment || echo '::warning title=No comment::The job needs "permissions: pull-requests: write".'
}

# The comment of an earlier run is found by its first line.
write_comment() {
  local marker="<!-- tracetax $NAME -->" comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments id
  id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1) || return
  { echo "$marker"; cat "$comment"; } >"$folder/body.md"
  if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$folder/body.md"
  else
    gh api --silent "$comments" -F "body=@$folder/body.md"
  fi
}

[[ $NAME =~ ^[a-zA-Z0-9._-]+$ ]] || fail "\"name\" may have letters, digits, \".\", \"_\" and \"-\" only: $NAME"
case ${1-} in
  measure) measure ;;
  tell) tell ;;
  *) fail 'say measure or tell' ;;
esac
