// A function that asks other lanes is called by all of them together, also when
// each arm of a branch before it has an argument of its own.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O3 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

static unsigned long ones(int v, int *out) {
  unsigned long mask = xcc::ballot(v == 5);
  *out += v;
  return mask;
}

static void kernel(const int *in, int *out, unsigned long *masks) {
  std::size_t i = xcc::global_id();
  int value;
  if (in[i] & 1) {
    value = 5;
    out[i] = 1;
  } else {
    value = 7;
    out[i] = in[i];
  }
  masks[i] = ones(value, out + i);
}

int main() {
  constexpr int n = 64;
  xcc::buffer<int> in(n), out(n);
  xcc::buffer<unsigned long> masks(n);
  int values[n];
  for (int i = 0; i < n; ++i)
    values[i] = i;
  in.copy_from(values, n);
  xcc::launch({2, 32}, kernel, (const int *)in.data(), out.data(),
              masks.data());
  unsigned long got[n];
  masks.copy_to(got, n);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += got[i] != 0xaaaaaaaa;
  std::printf("%d wrong\n", wrong); // CHECK: 0 wrong
}
