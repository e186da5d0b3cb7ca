#!/usr/bin/env bash
# run.sh - Everything that this machine's GPU can show, in one command
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test/hardware/run.sh [BUILD [ARCHS]] [--no-bench]
#
# Compiles the conformance suite, the examples, the accuracy program and the
# benchmarks with BUILD/bin/xcc (default: build) for this machine's GPUs, or for
# ARCHS, and runs them. Results: BUILD/gpu/results.txt. Without a GPU they run on
# the CPU device. To build here and run elsewhere see pack.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
positional=() options=()
for argument; do
  case $argument in
  --no-bench) options+=("$argument") ;;
  -*) sed -n '6,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
  *) positional+=("$argument") ;;
  esac
done
build=${positional[0]:-$here/../../build} archs=${positional[1]:-}

# nvidia-smi says "9.0"; the amdgpu driver says 90402 for gfx942.
if [ -z "$archs" ]; then
  if command -v nvidia-smi >/dev/null; then
    archs=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
      grep -E '^[0-9]+\.[0-9]+$' | sort -u | sed 's/^/sm_/; s/\.//' |
      paste -sd,) || archs=
  fi
  for node in /sys/class/kfd/kfd/topology/nodes/*/properties; do
    [ -r "$node" ] || continue
    version=$(awk '$1 == "gfx_target_version" { print $2 }' "$node")
    [ "${version:-0}" != 0 ] || continue
    archs+=${archs:+,}$(printf 'gfx%d%d%x' $((version / 10000)) \
      $((version / 100 % 100)) $((version % 100)))
  done
  archs=${archs:+$archs,}host
fi

status=0
"$here/pack.sh" "$build" "$build/gpu" "$archs" || status=1
[ -x "$build/gpu/run.sh" ] || exit 1
"$build/gpu/run.sh" "${options[@]}" || status=1
exit $status
