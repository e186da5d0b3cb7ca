#!/usr/bin/env bash
# run.sh - Runs what test/hardware/pack.sh has put into this folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: run.sh [--no-bench]
#
# Runs every program on the device that XCC_DEVICE names, else on the first GPU,
# else on the CPU device. Prints one line for each test and a summary, keeps all
# of it in results.txt, and ends with a status other than 0 if anything failed.
# --no-bench leaves out the timings. PACK_SECONDS (900) is the most a program may
# take.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
case ${1:-} in
'' | --no-bench) ;;
*)
  sed -n '6,13s/^# \{0,1\}//p' run.sh >&2
  exit 2
  ;;
esac
exec > >(tee results.txt) 2>&1
tee=$!
passed=0 failed=0 tests=0 bad_tests=0

# run NAME COMMAND...: its output, then whether it ended well.
run() {
  local name=$1 output status
  shift
  echo "== $name"
  output=$(timeout "${PACK_SECONDS:-900}" "$@" 2>&1)
  status=$?
  echo "$output"
  tests=$((tests + $(grep -c '^\(PASS\|XFAIL\) ' <<<"$output")))
  bad_tests=$((bad_tests + $(grep -c '^\(FAIL\|XPASS\) ' <<<"$output")))
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    echo "== $name: PASS"
  else
    failed=$((failed + 1))
    echo "== $name: FAIL (status $status)"
  fi
}

echo "date: $(date -u +%FT%TZ)"
echo "machine: $(uname -srm), $(getconf _NPROCESSORS_ONLN) processors"
sed 's/^/pack: /' ABOUT
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=index,name,driver_version,compute_cap \
    --format=csv,noheader | sed 's/^/nvidia: /'
fi
if [ -r /sys/module/amdgpu/version ]; then
  echo "amdgpu: $(cat /sys/module/amdgpu/version)"
fi
if ! device=$(conformance/shapes shapes.one_dimension 2>&1); then
  # It may be this one test; what the program says comes first.
  echo "the first program failed:"
fi
device=$(head -1 <<<"$device")
echo "$device"
case $device in
*': host'*)
  [ "${XCC_DEVICE:-}" = host ] ||
    echo "this is the CPU device; XCC_DEVICE=cuda or hsa says why it is no GPU"
  ;;
'device '*) ;;
*)
  echo "result: no device to test"
  exit 1
  ;;
esac

for program in conformance/*; do
  run "$program" "./$program"
done
for program in math/*; do
  [ ! -x "$program" ] || run "$program" "./$program"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for program in examples/*; do
  [ -f "$program" ] || continue
  case $program in
  */blur) arguments=(examples/data/chelsea.png "$scratch/blur.png") ;;
  */mandelbrot) arguments=("$scratch/mandelbrot.png") ;;
  */histogram) arguments=(examples/data/chelsea.png) ;;
  *) arguments=() ;;
  esac
  run "$program" "./$program" "${arguments[@]}"
done
if [ -x bench/run.sh ]; then
  run bench/check bench/run.sh check
  [ "${1:-}" = --no-bench ] || run bench/measure bench/run.sh measure
fi

missing=$(grep -c 'is not built' ABOUT)
echo
echo "$device"
echo "result: $passed programs passed, $failed failed; in the conformance suite" \
  "$tests tests as expected, $bad_tests not; $missing notes in ABOUT of what was" \
  "not built"
exec >&- 2>&-
wait "$tee"
[ "$failed" = 0 ]
