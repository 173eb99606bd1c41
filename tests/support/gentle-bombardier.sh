#!/bin/sh
# bombardier at 1,000 requests a second at most, unless a rate is asked for. At full load a test
# would take both cores of a small machine from all the others, and no test of a whole run needs
# that many answers.
for word in "$@"; do
  case $word in --version | -r) exec bombardier "$@" ;; esac
done
exec bombardier -r 1000 "$@"
