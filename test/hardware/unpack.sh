#!/usr/bin/env bash
# unpack.sh - Makes the folder again that test/hardware/pack.sh has packed
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: unpack.sh FOLDER      then FOLDER/run.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || {
  sed -n '6s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
mkdir -p "$1"
LD_LIBRARY_PATH=$here/lib "$here/zstd" -q -d --long=30 -c "$here/files.tar.zst" | tar -C "$1" -xf -
