#!/usr/bin/env bash
# check.sh CC - Checks port.pml with spin: that the protocol has no error, and
# that the model would show one.
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/port.pml
cc=${1:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# errors HOW DEFINES...: how many errors there are; all schedules (HOW: all), or
# as many as a table of hashes distinguishes (HOW: many).
errors() {
  local how=$1 options=(-O2 -w -DSAFETY -DMEMLIM=2000) run=(-m100000)
  shift
  if [ "$how" = all ]; then
    options+=(-DCOLLAPSE)
  else
    options+=(-DBITSTATE)
    run+=(-w22)
  fi
  spin -a "$@" "$model" >/dev/null
  "$cc" "${options[@]}" -o pan pan.c
  ./pan "${run[@]}" >log
  sed -n 's/.*errors: *//p' log
  grep -q 'max search depth too small' log && echo "depth" || true
}

expect() {
  local wanted=$1 found
  shift
  found=$(errors "$@")
  echo "$*: errors: $found"
  [ "$found" = "$wanted" ] || { cat log && exit 1; }
}

expect 0 all -DPORTS=1 -DCLIENTS=2 -DCALLS=1
expect 0 many -DPORTS=1 -DCLIENTS=3 -DCALLS=2
expect 0 many -DPORTS=2 -DCLIENTS=2 -DCALLS=3
expect 0 many -DPORTS=2 -DCLIENTS=3 -DSERVERS=2
# Each of these lines is needed.
expect 1 many -DFORGET_TELL -DPORTS=1 -DCLIENTS=2 -DCALLS=1
expect 1 many -DFORGET_LOOK -DPORTS=1 -DCLIENTS=2 -DCALLS=1
