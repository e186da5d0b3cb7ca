// A launch takes the kernel's second entry, whose threads take several indices,
// where its grid fills the GPU; not with XCC_COARSEN=0, nor with checks of the
// simulator, which name threads.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O2 -offload-arch=sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_SIM_PROFILE=1 XCC_DEVICE=sim:sm_90 %t 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: env XCC_COARSEN=0 XCC_SIM_PROFILE=1 XCC_DEVICE=sim:sm_90 %t 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=coarse
// RUN: env XCC_SIM_CHECK=races XCC_SIM_PROFILE=1 XCC_DEVICE=sim:sm_90 %t 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=coarse
// SEVERAL-DAG: kernel {{.*}}scale{{[^$]*}}: 1 launch
// SEVERAL-DAG: kernel {{.*}}scale{{.*}}$coarse: 1 launch
// ONE: kernel {{.*}}scale{{.*}}: 2 launches

#include <xcc/xcc.h>

void scale(int n, float *x) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    x[i] *= 3;
}

int main() {
  const int n = 128 * 1024;
  xcc::buffer<float> x(n);
  x.fill(1);
  float *p = x.data();
  xcc::launch({{n / 128}, {128}}, scale, n, p);
  // Too few to fill it.
  xcc::launch({{1}, {32}}, scale, n, p);
  xcc::synchronize();
}
