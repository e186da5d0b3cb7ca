// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without ROCm's headers, which Clang does not need for this.

#define DEVICE __attribute__((device))
#include "dslash.h"

#define KERNEL                                                                 \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(1, 256)))

static DEVICE int globalId() {
  return int(__builtin_amdgcn_workgroup_id_x() *
                 __builtin_amdgcn_workgroup_size_x() +
             __builtin_amdgcn_workitem_id_x());
}

KERNEL void dslash(int n, const int *neighbours, const Matrix *links,
                   const Vector *in, Vector *out) {
  const int site = globalId();
  if (site < n)
    dslashSite(site, n, neighbours, links, in, out);
}

KERNEL void gather(int n, const int *neighbours, const Vector *in,
                   Vector *out) {
  const int site = globalId();
  if (site < n)
    gatherSite(site, n, neighbours, in, out);
}
