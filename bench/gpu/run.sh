#!/usr/bin/env bash
# run.sh - The kernels on a GPU, through xcc and through nvcc
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bench/gpu/run.sh build DIR [ARCHS]   needs xcc ($XCC, or build/bin/xcc) and,
#                                        for the CUDA side, nvcc ($NVCC)
#   DIR/run.sh check                     small problems against the host
#   DIR/run.sh measure [NAME...]         Markdown: ratios and geometric mean
#
# ARCHS: sm_80,sm_90 unless given; none: the CPU device alone. DIR is
# self-contained: it can be carried to a machine that has a GPU and no compiler.
# The sides take turns and each is given its best time, so that a busy machine
# hurts both; XCC_DEVICE=host runs xcc's side on the CPU device.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=${ROUNDS:-3}

fail() {
  printf 'run.sh: %s\n' "$*" >&2
  exit 1
}

build() {
  [ $# -ge 1 ] || fail "build: a folder is needed"
  local out archs=${2:-sm_80,sm_90}
  mkdir -p "$1"
  out=$(cd "$1" && pwd)
  cd "$here"
  local root=$here/../.. cases=(main dense grids collective numeric integer search)
  local xcc=${XCC:-$root/build/bin/xcc} nvcc=${NVCC:-nvcc}
  command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
  rm -f "$out/suite-cuda"

  local flags=(-O3 -std=c++20 "-offload-arch=host,$archs" -static-libstdc++
    -static-libgcc)
  [ "$archs" != none ] || flags[2]=-offload-arch=host
  "$xcc" "${flags[@]}" "${cases[@]/%/.cpp}" device_xcc.cpp \
    ../codegen/kernels/*.cpp -o "$out/suite-xcc"
  "$xcc" "${flags[@]}" launch.cpp -ldl -o "$out/launch"

  if command -v "$nvcc" >/dev/null && [ "$archs" != none ]; then
    local gencode=() arch
    for arch in ${archs//,/ }; do
      gencode+=(-gencode "arch=${arch/sm_/compute_},code=[$arch,${arch/sm_/compute_}]")
    done
    "$nvcc" -O3 -std=c++20 --extended-lambda -cudart static "${gencode[@]}" \
      -Xcompiler -static-libstdc++,-static-libgcc \
      "${cases[@]/%/.cpp}" device_cuda.cu ../codegen/kernels/*.cu \
      -o "$out/suite-cuda"
  else
    echo "run.sh: no nvcc: the CUDA side is not built" >&2
  fi
  cp run.sh "$out/run.sh"
}

check() {
  local side status=0
  for side in suite-xcc suite-cuda; do
    [ -x "$here/$side" ] || continue
    echo "== $side on $("$here/$side" device)"
    "$here/$side" check "$@" || status=1
  done
  return $status
}

measure() {
  [ -x "$here/suite-xcc" ] || fail "'run.sh build $here' comes first"
  local names=("$@") name round
  [ $# -gt 0 ] || mapfile -t names < <("$here/suite-xcc" list)
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  : >"$scratch/times"
  for name in "${names[@]}"; do
    echo "  $name" >&2
    for ((round = 0; round < rounds; ++round)); do
      "$here/suite-xcc" time "$name" | sed 's/^/xcc /' >>"$scratch/times"
      [ ! -x "$here/suite-cuda" ] ||
        "$here/suite-cuda" time "$name" | sed 's/^/cuda /' >>"$scratch/times"
    done
  done

  echo "Measured on $(date +%F): $("$here/suite-xcc" device)."
  echo
  echo "| kernel | nvcc | xcc | speed-up | GB/s nvcc | GB/s xcc |"
  echo "|---|---|---|---|---|---|"
  awk '
    !(($1, $2) in best) || $3 < best[$1, $2] { best[$1, $2] = $3 }
    !($2 in bytes) { names[++count] = $2; bytes[$2] = $4 }
    function shown(side, name) {
      return (side, name) in best ? sprintf("%.4f ms", best[side, name]) : "-"
    }
    function rate(side, name) {
      return (side, name) in best && bytes[name] > 0 \
        ? sprintf("%.0f", bytes[name] / best[side, name] / 1e6) : ""
    }
    END {
      for (i = 1; i <= count; ++i) {
        name = names[i]; speedup = ""
        if (("cuda", name) in best) {
          ratio = best["cuda", name] / best["xcc", name]
          sum += log(ratio); ++compared
          speedup = sprintf("%.3f", ratio)
        }
        printf "| %s | %s | %s | %s | %s | %s |\n", name, shown("cuda", name),
          shown("xcc", name), speedup, rate("cuda", name), rate("xcc", name)
      }
      if (compared)
        printf "| geometric mean of %d | | | %.3f | | |\n", compared,
          exp(sum / compared)
    }' "$scratch/times"

  echo
  echo "| launch | cuLaunchKernel | xcc | xcc / cuLaunchKernel |"
  echo "|---|---|---|---|"
  "$here/launch" | awk '{
    printf "| %s | %s | %s ns | %s |\n", $1, $3 == "-" ? "-" : $3 " ns", $2,
      $3 == "-" ? "" : sprintf("%.2f", $2 / $3) }'
}

case ${1:-} in
build) shift && build "$@" ;;
check) shift && check "$@" ;;
measure) shift && measure "$@" ;;
*) sed -n '6,16s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
esac
