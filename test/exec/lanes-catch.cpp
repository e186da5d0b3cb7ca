// After a loop whose body has a try block, lanes are together again, also if each
// handler of that block throws.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t
// DEVICES: host, because GPUs are wrong at -O0 (docs/testing.md, "More seeds")
#include <cstdio>
#include <xcc/xcc.h>

struct guard {
  unsigned &at;
  ~guard() { at = at * 3 + 1; }
};

static void kernel(unsigned *out) {
  const unsigned t = xcc::thread_idx().x;
  unsigned s = 1;
  for (unsigned i = 0; i < t % 6 + 1; ++i) {
    unsigned inner = 0;
    do {
      try {
        try {
          guard g{s};
        } catch (...) {
          throw;
        }
      } catch (...) {
        s += 8;
      }
    } while (inner++ < t % 2);
    const auto together = unsigned(xcc::ballot(true));
    if (i == 0)
      out[t] = together;
  }
  out[t] += s & 0;
}

int main() {
  xcc::buffer<unsigned> out(32);
  unsigned all[32];
  xcc::launch({{1}, {32}}, kernel, out.data());
  out.copy_to(all, 32);
  for (unsigned together : all)
    if (together != ~0u) {
      std::printf("lanes %x\n", together);
      return 1;
    }
}
