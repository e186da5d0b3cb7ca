#!/usr/bin/env bash
# run.sh - Runs what test/hardware/pack.sh has put into this folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: run.sh [--no-bench] [--jobs N] [--only PATTERN]
#
# Runs every test on the device that XCC_DEVICE names, else on the first GPU, else
# on the CPU device, N (12) at a time; PATTERN chooses some by an extended regular
# expression. Prints one line for each test and a summary, keeps that in
# results.txt and what tests print in results/, and ends with a status other than
# 0 if anything failed. The first test that failed is run again with all of xcc's
# log and, where there is one, under compute-sanitizer. --no-bench leaves out the
# timings. PACK_SECONDS is the most that one test may take.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
bench=yes jobs=12 only=.
while [ $# != 0 ]; do
  case $1 in
  --no-bench) bench=no ;;
  --jobs) jobs=$2 && shift ;;
  --only) only=$2 && shift ;;
  *)
    sed -n '6,16s/^# \{0,1\}//p' run.sh >&2
    exit 2
    ;;
  esac
  shift
done
rm -rf results && mkdir results
export RESULTS=$PWD/results
exec > >(tee results.txt) 2>&1
tee=$!

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

# "device 0: cuda:0, NVIDIA H200, sm_90"
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
probe=programs/conformance/shapes/1.a
device=$("$probe" shapes.one_dimension 2>&1 | grep '^device ' | head -1)
echo "${device:-the first program found no device: $("$probe" shapes.one_dimension 2>&1 | head -3)}"
KIND=$(sed -n 's/^device [0-9]*: \([a-z]*\).*/\1/p' <<<"$device")
export KIND=${KIND:-${XCC_DEVICE:-none}}
[ "$KIND" != host ] || [ "${XCC_DEVICE:-}" = host ] ||
  echo "this is the CPU device; XCC_DEVICE=cuda or hsa says why it is no GPU"

# In the order of their names, so that the conformance suite begins first.
(cd runs && find . -type f -printf '%P\n' | grep -E "$only" | sort) |
  xargs -r -P "$jobs" -n 1 ./one.sh | tee results/lines

first=$(grep -m1 '^FAIL ' results/lines | cut -d' ' -f2)
if [ -n "$first" ]; then
  echo "== $first once more, with XCC_LOG=all: results/first-failure"
  mkdir -p results/first-failure
  RESULTS=$PWD/results/first-failure/log XCC_LOG=all ./one.sh "$first"
  if sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1) &&
    [ -n "$sanitizer" ] && [ "$KIND" = cuda ]; then
    RESULTS=$PWD/results/first-failure/sanitizer PACK_SECONDS=120 \
      PACK_UNDER="$sanitizer --target-processes all" ./one.sh "$first"
  fi
  tail -n 40 results/first-failure/*/"$first.out"
fi

# count VERDICT: how many tests had it.
count() { grep -c "^$1 " results/lines; }
passed=$(count PASS) failed=$(count FAIL) others=$(count UNSUPPORTED)
status=0
[ "$failed" = 0 ] && [ "$passed" != 0 ] || status=1
if [ $bench = yes ] && [ -x bench/run.sh ]; then
  for step in check measure; do
    bench/run.sh $step || status=1
  done
fi
echo
echo "$device"
echo "result: $passed passed, $failed failed, $others not for this device; in the" \
  "conformance suite" \
  "$(cat results/conformance/*.out 2>/dev/null | grep -cE '^(PASS|XFAIL) ') tests as expected," \
  "$(cat results/conformance/*.out 2>/dev/null | grep -cE '^(FAIL|XPASS) ') not;" \
  "$(grep -c ': not built' ABOUT) notes in ABOUT of what was not built"
exec >&- 2>&-
wait "$tee"
exit $status
