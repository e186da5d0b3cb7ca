#!/usr/bin/env bash
# check.sh CLANGXX DIR - Compiles client.cpp for every kind of device, and looks
# at what became of the operations that must not be anything else.
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clang=$1 out=$2/rpc-device.s
compile() {
  echo "$*"
  "$clang" "$@" -ffreestanding -nostdinc++ -nogpulib -nogpuinc -std=c++20 \
    -fno-exceptions -Wall -Wextra -Werror -I"$here/../../../rpc" -S -o "$out" \
    "$here/client.cpp"
}
need() { grep -Eq "$1" "$out" || { echo "no '$1' for $2" && exit 1; }; }
refuse() {
  if grep -E "$1" "$out"; then echo "'$1' for $2" && exit 1; fi
}
ptxas=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2>/dev/null | head -n 1 || true)

for arch in sm_52 sm_70 sm_75 sm_90; do
  for level in -O0 -O2; do
    compile --target=nvptx64-nvidia-cuda -march=$arch $level
    if [ $level = -O2 ] && [ $arch != sm_52 ]; then
      # What the other side reads is added to in system scope, after a fence.
      need 'red\.sys\.add\.u32' $arch
      need 'fence\.(acq_rel|release)\.sys' $arch
      need 'nanosleep' $arch
    fi
    case $arch in
    sm_75 | sm_90)
      if [ -n "$ptxas" ] && "$ptxas" --help | grep -q "'$arch'"; then
        "$ptxas" -arch=$arch -c -o /dev/null "$out"
      fi
      ;;
    esac
  done
done
for cpu in gfx90a gfx942 gfx1030 gfx1100; do
  compile --target=amdgcn-amd-amdhsa -mcpu=$cpu -O2
  # No loops of compare-and-swap over the bus.
  refuse 'cmpswap' $cpu
  need '(flat|global)_atomic_add(_u32)? ' $cpu
done
for triple in x86_64-pc-linux-gnu aarch64-linux-gnu; do
  compile --target=$triple -O2
done
