// Which boxes overlap others
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "boxes.h"

static __global__ void collideKernel(int n, const suite::Box *__restrict box,
                                     int *__restrict count,
                                     int *__restrict first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  suite::Box mine = box[i];
  int found = 0, least = -1;
  for (int k = 0; k < n; ++k) {
    if (k == i || !suite::overlap(mine, box[k]))
      continue;
    if (found++ == 0)
      least = k;
  }
  count[i] = found;
  first[i] = least;
}

void suite::collide(int n, const Box *box, int *count, int *first) {
  collideKernel<<<(n + 255) / 256, 256>>>(n, box, count, first);
}
