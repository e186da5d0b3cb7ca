// Values that nobody has initialised, on simulated GPUs (XCC_SIM_CHECK=init): each
// fault beside a kernel that does almost the same, and is right.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -g -O1 -offload-arch=sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: %not env XCC_SIM_CHECK=init XCC_DEVICE=sim:sm_90 %t wrong >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=CHECK,NVIDIA < %t.out
// RUN: env XCC_SIM_CHECK=init XCC_DEVICE=sim:sm_90 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: env XCC_SIM_CHECK=memory XCC_DEVICE=sim:sm_90 %t wrong 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %not env XCC_SIM_CHECK=init XCC_DEVICE=sim:gfx1100 %t wrong >%t.amd 2>&1
// RUN: FileCheck %s < %t.amd
// RUN: env XCC_SIM_CHECK=init XCC_DEVICE=sim:gfx1100 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: env XCC_SIM_CHECK=memory XCC_DEVICE=sim:gfx1100 %t wrong 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: uninitialised
// RIGHT: end
// RIGHT-NOT: uninitialised
//
// LLVM keeps the array of `stack` in registers of an AMD GPU.

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

static constexpr unsigned Threads = 32;

/// What kernels use: \p in holds numbers, \p fresh nothing at all.
struct data {
  const int *in;
  int *fresh, *out;
};

struct padded {
  char kind;
  int count;
};
struct alignas(16) four {
  int x, y, z, w;
};

/// Each is a kernel. Ok is the one that is right.
#define KERNEL(name) template <bool Ok> static void name(data d, unsigned t)

KERNEL(branch) {
  d.fresh[t] = 1;
  if (d.fresh[Ok ? t : t + 32] == 7)
    d.out[t] = 1;
}
KERNEL(address) {
  static xcc::block_shared<int[64]> s;
  s[t] = int(t);
  if (Ok)
    s[t + 32] = int(t);
  xcc::sync_block();
  d.out[s[t + 1] & 31] = 1;
}
/// The halo of a tile.
KERNEL(copied) {
  static xcc::block_shared<int[33]> s;
  s[t] = d.in[t];
  if (Ok && t == 0)
    s[32] = 0;
  xcc::sync_block();
  d.out[t] = s[t + 1];
}
KERNEL(stack) {
  int own[8];
  const int many = d.in[t] ? (Ok ? 8 : 7) : 0;
  for (int n = 0; n < many; ++n)
    own[n] = n;
  if (own[d.in[t] + 6] > 3)
    d.out[t] = 1;
}
/// Bits of a word.
KERNEL(bits) {
  const unsigned old = unsigned(d.fresh[t]);
  const unsigned now = (old & ~0xffu) | unsigned(d.in[t]);
  if (now & (Ok ? 0x81u : 0x100u))
    d.out[t] = 1;
}
KERNEL(padding) {
  auto *p = reinterpret_cast<padded *>(d.fresh);
  p[t].kind = 1;
  p[t].count = d.in[t];
  if (Ok) {
    const padded whole = p[t];
    std::memcpy(&d.out[2 * t], &whole, sizeof(whole));
  } else if (reinterpret_cast<char *>(&p[t])[2] == 3) {
    d.out[t] = 1;
  }
}
KERNEL(sum) {
  static xcc::block_shared<float[32]> s;
  if (Ok || t != 5)
    s[t] = float(d.in[t]);
  xcc::sync_block();
  float all = 0;
  for (unsigned n = 0; n != Threads; ++n)
    all += s[n];
  d.out[t] = all > 3 ? 2 : 1;
}
KERNEL(shuffled) {
  if (Ok || t != 3)
    d.fresh[t] = d.in[t];
  const int other = xcc::shuffle_xor(d.fresh[t], 1);
  if (other > 0)
    d.out[t] = 1;
}
KERNEL(counted) {
  static xcc::block_shared<int> count;
  if (Ok && t == 0)
    count = 0;
  xcc::sync_block();
  std::atomic_ref<int>(count).fetch_add(1);
  xcc::sync_block();
  d.out[t] = count;
}
/// An element of a vector that nobody wrote.
KERNEL(vector) {
  auto *v = reinterpret_cast<four *>(d.fresh);
  v[t].x = 1;
  v[t].y = 2;
  const four whole = v[t];
  d.out[t] = whole.x + (Ok ? whole.y : whole.z) * 3;
}
[[gnu::noinline]] static int chosen(int a, int b, bool first) {
  return first ? a : b;
}
KERNEL(called) {
  const int c = chosen(d.in[t], d.fresh[t], Ok);
  if (c == 3)
    d.out[t] = 1;
}
KERNEL(shifted) {
  auto *half = reinterpret_cast<unsigned short *>(d.fresh);
  half[2 * t] = 4;
  const unsigned word = unsigned(d.fresh[t]);
  if ((Ok ? word << 16 : word >> 8) == 0x40000u)
    d.out[t] = 1;
}
KERNEL(loop) {
  if (Ok)
    d.fresh[t] = 3;
  for (int n = 0; n < (d.fresh[t] & 7); ++n)
    d.out[t] += n;
}
/// A zero decides a product of bits, a one a sum of them.
KERNEL(decided) {
  const int x = d.fresh[t], mask = d.in[t] - (Ok ? 1 : 0);
  d.out[t] = (x & mask) | 4;
  if ((x & mask) != 0)
    d.out[t] = 1;
}
KERNEL(freed) {
  int *own = new int[4];
  own[0] = 1;
  d.fresh[t] = own[0];
  if (d.fresh[Ok ? t : 40 + t] != 1)
    d.out[t] = 1;
  delete[] own;
}

template <bool Ok, class Kernel>
static void run(const char *name, Kernel kernel) {
  std::vector<int> in(64, 1), out(64, 0);
  xcc::buffer<int> fresh(256);
  xcc::launch({{1}, {Threads}}, [&in, &out, kernel, fresh = fresh.data()] {
    kernel(data{in.data(), fresh, out.data()}, xcc::thread_idx().x);
  });
  xcc::synchronize();
  std::fprintf(stderr, "%s %d\n", name, out[31]);
}
#define RUN(name) run<Ok>(#name, [](data d, unsigned t) { name<Ok>(d, t); })

template <bool Ok> static void all() {
  RUN(branch);
  RUN(address);
  RUN(copied);
  RUN(stack);
  RUN(bits);
  RUN(padding);
  RUN(sum);
  RUN(shuffled);
  RUN(counted);
  RUN(vector);
  RUN(called);
  RUN(shifted);
  RUN(loop);
  RUN(decided);
  RUN(freed);
}

int main(int, char **words) {
  if (!std::strcmp(words[1], "right"))
    all<true>();
  else
    all<false>();
  std::fprintf(stderr, "end\n");
}

// CHECK: an uninitialised value, read from byte 128 of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}branch 
// CHECK: an uninitialised value, read from byte 128 of the block's shared memory at {{.*}}uninitialised.cpp:{{.*}}, decides an address: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}address 
// CHECK: the host reads an uninitialised value, which the kernel has stored, read from byte 128 of the block's shared memory at {{.*}}uninitialised.cpp:
// CHECK: {{^}}copied 
// NVIDIA: an uninitialised value, read from the thread's stack at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}stack 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}bits 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}padding 
// CHECK: the host reads an uninitialised value, which the kernel has stored, read from byte 20 of the block's shared memory at {{.*}}uninitialised.cpp:
// CHECK: {{^}}sum 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}shuffled 
// CHECK: the host reads an uninitialised value, which the kernel has stored, read from byte {{[0-9]+}} of the block's shared memory at {{.*}}uninitialised.cpp:
// CHECK: {{^}}counted 
// CHECK: the host reads an uninitialised value, which the kernel has stored, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:
// CHECK: {{^}}vector 
// CHECK: an uninitialised value, read from {{.*}} at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}called 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}shifted 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}loop 
// CHECK: the host reads an uninitialised value, which the kernel has stored, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:
// CHECK: {{^}}decided 
// CHECK: an uninitialised value, read from byte {{[0-9]+}} of an allocation of 1024 bytes at {{.*}}uninitialised.cpp:{{.*}}, decides a branch: thread {{[0-9]+}} of block 0: {{.*}}uninitialised.cpp:
// CHECK: {{^}}freed 
// CHECK: end
// CHECK: simulator: XCC_SIM_CHECK found {{1[4-9]}} faults
