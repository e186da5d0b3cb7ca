// Boxes that overlap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_BOXES_H
#define XCC_BENCH_CODEGEN_BOXES_H

#include "../suite.h"
#include <cmath>

namespace suite {

/// Whether two boxes that are turned about the vertical axis overlap, by the
/// axes that could separate them.
SUITE_INLINE bool overlap(const Box &a, const Box &b) {
  float dx = b.x - a.x, dy = b.y - a.y;
  if (fabsf(b.z - a.z) > a.h + b.h)
    return false;
  float c = a.c * b.c + a.s * b.s, s = a.c * b.s - a.s * b.c;
  float ac = fabsf(c), as = fabsf(s);
  if (fabsf(dx * a.c + dy * a.s) > a.w + b.w * ac + b.l * as)
    return false;
  if (fabsf(dy * a.c - dx * a.s) > a.l + b.w * as + b.l * ac)
    return false;
  if (fabsf(dx * b.c + dy * b.s) > b.w + a.w * ac + a.l * as)
    return false;
  return fabsf(dy * b.c - dx * b.s) <= b.l + a.w * as + a.l * ac;
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_BOXES_H
