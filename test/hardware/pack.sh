#!/usr/bin/env bash
# pack.sh - Everything that a machine with a GPU is to run, in one folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test/hardware/pack.sh BUILD OUT [ARCHS] [--filter PATTERN] [--jobs N]
#
#   BUILD  a build folder of xcc (its bin/xcc compiles the programs)
#   OUT    where to put them: carry OUT, or the smaller OUT.packed, to the machine
#   ARCHS  what to compile for; unless given, the common GPUs and the host
#
# pack.py says more: test/hardware/pack.sh --help
exec python3 "$(dirname "${BASH_SOURCE[0]}")/pack.py" "$@"
