#!/usr/bin/env bash
# pack.sh - Everything that a machine with a GPU is to run, in one folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test/hardware/pack.sh BUILD OUT [ARCHS]
#
#   BUILD  a build folder of xcc (its bin/xcc compiles the programs)
#   OUT    where to put them; carry it to the machine and call OUT/run.sh there
#   ARCHS  what to compile for; unless given, the common GPUs and the host
#
# The folder needs nothing of the other machine but a GPU's driver, bash and a
# C library as new as this one's. A program that does not compile for an arch is
# built without it, and OUT/ABOUT says so; then the status is 1.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

fail() {
  printf 'pack.sh: %s\n' "$*" >&2
  exit 2
}
[ $# = 2 ] || [ $# = 3 ] || {
  sed -n '6,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
build=$1 out=$2
archs=${3:-sm_70,sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_120,gfx90a,gfx942,gfx1030,gfx1100,host}
xcc=$build/bin/xcc
[ -x "$xcc" ] || fail "there is no $xcc: build xcc first"
xcc=$(cd "$(dirname "$xcc")" && pwd)/xcc
mkdir -p "$out" || fail "cannot make $out"
out=$(cd "$out" && pwd)
rm -rf "$out"/{conformance,examples,math,bench,logs,run.sh,ABOUT}
mkdir -p "$out"/{conformance,examples,math,bench,logs}
export xcc out archs

# compile AREA/NAME ARCHS ARGUMENTS...
compile() {
  local name=$1 for=$2
  shift 2
  "$xcc" -O2 -static-libstdc++ -static-libgcc -s "-offload-arch=$for" "$@" \
    -o "$out/$name" >"$out/logs/${name//\//-}.log" 2>&1
}

# program AREA/NAME ARGUMENTS...: for all archs, or else for those that work.
program() {
  local name=$1 arch good="" bad=""
  shift
  if ! compile "$name" "$archs" "$@"; then
    for arch in ${archs//,/ }; do
      if compile "$name" "$arch" "$@"; then
        good+=${good:+,}$arch
      else
        bad+=${bad:+,}$arch
        mv "$out/logs/${name//\//-}.log" "$out/logs/${name//\//-}-$arch.log"
      fi
    done
    rm -f "$out/$name"
    [ -z "$good" ] || compile "$name" "$good" "$@"
    echo "$name is not built for $bad" >>"$out/logs/not-built"
  fi
  find "$out/logs" -size 0 -name '*.log' -delete
  if [ -e "$out/$name" ]; then
    echo "  $name${bad:+ without $bad}"
  else
    echo "  $name: not built"
  fi
}
export -f compile program

# Lines of: AREA/NAME ARGUMENTS...
programs() {
  local file name
  for file in "$root"/test/conformance/*.cpp; do
    name=$(basename "$file" .cpp)
    [ "$name" = harness ] || echo "conformance/$name -std=c++20 $file"
  done
  for file in "$root"/examples/*.cpp; do
    name=$(basename "$file" .cpp)
    if grep -q 'stb/' "$file" && [ ! -e /usr/include/stb/stb_image.h ] &&
      [ ! -e /usr/local/include/stb/stb_image.h ]; then
      echo "pack.sh: stb is not installed: no example $name" >&2
      continue
    fi
    echo "examples/$name -std=c++20 $file"
  done
  for file in "$root"/test/math/*.cpp; do
    [ -e "$file" ] && grep -q 'int main' "$file" &&
      echo "math/$(basename "$file" .cpp) -std=c++20 $file"
  done
  true
}
programs | tr '\n' '\0' |
  xargs -0 -P "$(nproc)" -I{} bash -c 'read -ra a <<<"$1"; program "${a[@]}"' _ {}

# The benchmarks have a script of their own for the same purpose. Both sides are
# built for the same archs: those that nvcc knows, where there is one.
nvidia=$(tr , '\n' <<<"$archs" | grep ^sm_)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if known=$("$nvcc" --list-gpu-code 2>/dev/null); then
  nvidia=$(grep -Fxf <(echo "$known") <<<"$nvidia")
fi
if [ -x "$root/bench/gpu/run.sh" ]; then
  if XCC=$xcc NVCC=$nvcc "$root/bench/gpu/run.sh" build "$out/bench" \
    "$(paste -sd, <<<"${nvidia:-none}")" >"$out/logs/bench.log" 2>&1; then
    nvidia=${nvidia:-the CPU device}
    echo "  bench for ${nvidia//$'\n'/,}"
  else
    echo "bench is not built: $(tail -1 "$out/logs/bench.log")" |
      tee -a "$out/logs/not-built" >&2
  fi
fi

mkdir -p "$out/examples/data"
cp "$root"/examples/data/*.png "$out/examples/data/"
cp "$here/carried.sh" "$out/run.sh"
{
  echo "xcc: $("$xcc" --version | head -1)"
  echo "source: $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)"
  echo "archs: $archs"
  echo "C library: $(objdump -T "$out"/conformance/* 2>/dev/null |
    grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1) or newer"
  [ ! -e "$out/logs/not-built" ] || sort "$out/logs/not-built"
} >"$out/ABOUT"
echo "$out: $(du -sh "$out" | cut -f1); see $out/ABOUT"
[ ! -e "$out/logs/not-built" ]
