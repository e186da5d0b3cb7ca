// The OpenMP side of bodies.cpp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bodies.h"

#define LOOP(name)                                                             \
  static void name##Loop(Arrays d) {                                           \
    _Pragma("omp parallel for") for (int i = 0; i < Count; ++i)                \
        bodies::name(i, d);                                                    \
  }
BENCH_BODIES(LOOP)

extern "C" void (*const BENCH_TABLE[])(Arrays);
void (*const BENCH_TABLE[])(Arrays) = {
#define LOOP_OF(name) name##Loop,
    BENCH_BODIES(LOOP_OF)};
