// What the optimiser makes of a bit-field's unit of 24 bits is a variable that
// PTX has a type for.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -foffload-device-only -S %s -o - | FileCheck %s
#include <xcc/xcc.h>

struct Fields {
  int first;
  int second : 20;
  // What derives from it may use the fourth byte.
  Fields &operator=(const Fields &);
};
static Fields fields = {1, -7};

void all(unsigned *out) {
  xcc::launch(
      {{1}, {1}},
      [](unsigned *out) {
        out[0] = fields.first++;
        out[1] = fields.second++;
      },
      out);
}
// CHECK-NOT: .u24
// CHECK: .global .align {{[0-9]+}} .b8 {{.*}}fields{{.*}}_$_1[4] = {249, 255, 15}
// CHECK-NOT: .u24
