#!/usr/bin/env bash
# one.sh - Runs one test that test/hardware/pack.sh has put into this folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: one.sh NAME      runs/NAME is its command; what it prints goes to
#                         results/NAME.out. Prints one line, and fails if the
#                         test does.
#
# KIND is the kind of device, as XCC_DEVICE names it: a test that is not for that
# kind is UNSUPPORTED. PACK_SECONDS (120; conformance 900) is the most it may take.
set -uo pipefail
pack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$1 test=${1%.*} run=$pack/runs/$1
output=${RESULTS:-$pack/results}/$name.out
mkdir -p "$(dirname "$output")"
why=$(sed -n "s/^# not on ${KIND:-${XCC_DEVICE%%:*}}: //p" "$run")
if needed=$(grep -o '^# needs [^:]*' "$run") && ! command -v "${needed##* }" >/dev/null; then
  why="there is no ${needed##* } here"
fi
if [ -n "$why" ]; then
  echo "UNSUPPORTED $name ($why)"
  exit 0
fi
case $name in
conformance/* | generated/conformance/*) seconds=${PACK_SECONDS:-900} ;;
*) seconds=${PACK_SECONDS:-120} ;;
esac
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
export SCRATCH PROGRAMS=$pack/programs/$test SOURCES=$pack/sources DATA=$pack/data
export PATH=$pack/tools:$PATH LD_LIBRARY_PATH=$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
begin=$EPOCHREALTIME
(cd "$SCRATCH" && timeout -k 5 "$seconds" ${PACK_UNDER:-} bash -o pipefail "$run") \
  >"$output" 2>&1 </dev/null
status=$?
took=$(awk "BEGIN { printf \"%.2f s\", $EPOCHREALTIME - $begin }")
if [ $status = 0 ]; then
  echo "PASS $name ($took)"
elif [ $status = 124 ] || [ $status = 137 ]; then
  echo "FAIL $name (more than $seconds s)"
  exit 1
else
  echo "FAIL $name (status $status, $took)"
  exit 1
fi
