// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define DEVICE
#include "dslash.h"
#include <xcc/xcc.h>

XCC_LAUNCH_BOUNDS(256)
void dslash(int n, const int *neighbours, const Matrix *links, const Vector *in,
            Vector *out) {
  const int site = int(xcc::global_id());
  if (site < n)
    dslashSite(site, n, neighbours, links, in, out);
}

XCC_LAUNCH_BOUNDS(256)
void gather(int n, const int *neighbours, const Vector *in, Vector *out) {
  const int site = int(xcc::global_id());
  if (site < n)
    gatherSite(site, n, neighbours, in, out);
}

void start() {
  xcc::launch({{1}, {256}}, dslash, 1, nullptr, nullptr, nullptr, nullptr);
  xcc::launch({{1}, {256}}, gather, 1, nullptr, nullptr, nullptr);
}
