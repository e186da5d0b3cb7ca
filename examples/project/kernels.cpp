// The kernels of a project: the one file that xcc has to compile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"
#include <xcc/xcc.h>

void scale(std::vector<float> &numbers, float factor) {
  xcc::parallel_for(numbers.size(),
                    [&](std::size_t i) { numbers[i] *= factor; });
  xcc::synchronize();
}
