#!/usr/bin/env bash
# The old name of test/hardware/pack.sh, for scripts that know it
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec "$(dirname "${BASH_SOURCE[0]}")/../hardware/pack.sh" "$@"
