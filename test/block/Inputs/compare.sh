#!/bin/sh
# compare.sh KERNELS.cpp [optimization level] [clang options]: runs the kernels of
# a file as fibers, hardly optimized, and as the pipeline makes them, and compares.
# Environment: PLUGIN (the pass plugin), RUNNER (run_kernels), LLVM_BIN, WORK.
set -eu
here=$(dirname "$0")
source=$1 level=${2:-O3}
[ $# -gt 2 ] && shift 2 || shift $#
bin=${LLVM_BIN:-/usr/lib/llvm-22/bin}
work=${WORK:-$(mktemp -d)}
base=$work/$(basename "$source" .cpp)

$bin/clang++ -std=c++20 -O1 -fPIC -Xclang -disable-llvm-passes -emit-llvm -S \
  -ffp-contract=off -I"$here" "$@" "$source" -o "$base.ll"
kernels=$(grep -oE '^define [^@]*@k_[a-z0-9_]+' "$base.ll" | sed 's/.*@//')
options=$(for k in $kernels; do echo "-xcc-block-kernel=$k"; done)

build() { # name, level, options
  out=$1 at=$2
  shift 2
  $bin/opt -load-pass-plugin="$PLUGIN" -xcc-block-pipeline $options "$@" \
    -passes="internalize,default<$at>" \
    $(for k in $kernels; do echo "-internalize-public-api-list=$k"; done) \
    "$base.ll" -S -o "$base.$out.ll"
  $bin/clang -${CODEGEN:-O2} -shared -fPIC -Wno-override-module \
    -Wno-unused-command-line-argument "$base.$out.ll" -lstdc++ -o "$base.$out.so"
}
build fibers O1 -xcc-block-force-fibers
build loops "$level"
exec "$RUNNER" "$base.fibers.so" "$base.loops.so" $kernels
