// Faults that were put into kernels, each beside a twin without it: the simulators
// find all of them, and accuse none of the twins.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -g -O1 -offload-arch=sm_90,gfx1100,gfx90a -foffload-no-cubin -foffload-red-zones %s -o %t
// RUN: env XCC_SIM_SECONDS=1 XCC_SIM_CHECK=all XCC_DEVICE=sim:sm_90 %t memory beyond local waits init races 2>&1 | FileCheck %s --check-prefixes=CHECK,RACES
// RUN: env XCC_SIM_SECONDS=1 XCC_SIM_CHECK=all XCC_DEVICE=sim:gfx1100 %t memory beyond local waits init races 2>&1 | FileCheck %s --check-prefixes=CHECK,RACES
//
// In a wave of 64 lanes is all of a block.
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx90a %t races 2>&1 | FileCheck %s --check-prefix=RACES
//
// CHECK-NOT: missed
// CHECK-NOT: accused
// CHECK: memory: 48 of 48 found, 48 of 48 twins right
// CHECK: beyond: 12 of 12 found, 12 of 12 twins right
// CHECK: local: 11 of 11 found, 11 of 11 twins right
// CHECK: waits: 3 of 3 found, 3 of 3 twins right
// CHECK: init: 34 of 34 found, 34 of 34 twins right
// RACES-NOT: missed
// RACES-NOT: accused
// RACES: races: 38 of 38 found, 38 of 38 twins right

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <xcc/xcc.h>

using u64 = unsigned long long;

static constexpr int Blocks = 2, Threads = 64, All = Blocks * Threads;

/// What a kernel has: \p n numbers in each, in memory of the device. They count
/// up in \p in; nobody has written to \p fresh; \p freed is the address of memory
/// that was freed.
struct data {
  int *in, *out, *fresh;
  u64 freed;
  int n;
};
struct alignas(16) four {
  int x, y, z, w;
};
/// The thread in its block, its block, and both in one.
struct place {
  int t, b, i;
};

//===--- Memory ------------------------------------------------------------===//

static int add(int a) { return a + 1; }

static void memory(int which, bool ok, data d) {
  static xcc::block_shared<int[Threads]> s;
  const place p{int(xcc::thread_idx().x), int(xcc::block_idx().x),
                int(xcc::block_idx().x) * Threads + int(xcc::thread_idx().x)};
  auto *bytes = reinterpret_cast<char *>(d.in);
  auto at = [&](long byte) { return bytes + byte; };
  const long end = 4l * d.n;
  s[p.t] = p.i;
  xcc::sync_block();
  switch (which) {
  case 0: // behind the end
    d.out[p.i] = d.in[p.i + (ok ? 0 : 1)];
    break;
  case 1:
    d.out[p.i + (ok ? 0 : 1)] = p.i;
    break;
  case 2: // before the begin
    d.out[p.i] = d.in[p.i - (ok ? 0 : 1)];
    break;
  case 3:
    d.out[p.i - (ok ? 0 : 1)] = p.i;
    break;
  case 4: { // null
    const int *volatile null = ok ? d.in : nullptr;
    d.out[p.i] = *null;
    break;
  }
  case 5: {
    int *volatile null = ok ? d.out : nullptr;
    null[p.i] = 1;
    break;
  }
  case 6: // freed
    d.out[p.i] = (ok ? d.in : reinterpret_cast<int *>(d.freed))[p.i];
    break;
  case 7:
    (ok ? d.out : reinterpret_cast<int *>(d.freed))[p.i] = 3;
    break;
  case 8: // an atomic operation that is not aligned
    if (p.i == 0)
      __atomic_fetch_add(reinterpret_cast<int *>(at(ok ? 0 : 2)), 1,
                         __ATOMIC_RELAXED);
    break;
  case 9:
    if (p.i == 0)
      __atomic_exchange_n(reinterpret_cast<u64 *>(d.out + (ok ? 2 : 1)), 1,
                          __ATOMIC_RELAXED);
    break;
  case 10: // far away
    d.out[p.i] = d.in[long(p.i) + (ok ? 0 : 1l << 33)];
    break;
  case 11:
    std::atomic_ref(d.out[ok ? 0 : d.n]).fetch_add(1);
    break;
  case 12:
    std::atomic_ref(d.out[ok ? d.n - 1 : -1]).exchange(1);
    break;
  case 13: // bytes
    d.out[p.i] = *at(end - (ok ? 1 : 0));
    break;
  case 14: // half of an access is behind the end
    if (p.i == 0)
      *reinterpret_cast<four *>(d.out + d.n - (ok ? 4 : 0)) = {1, 2, 3, 4};
    break;
  case 15: {
    int sum = 0; // one turn too many
    for (int n = 0; ok ? n < d.n : n <= d.n; ++n)
      sum += d.in[n];
    d.out[p.i] = sum;
    break;
  }
  case 16: // an index below zero, as a number without a sign
    d.out[p.i] = d.in[unsigned(p.i) - (ok ? 0u : unsigned(All))];
    break;
  case 17: // a row too long
    d.out[p.i] = d.in[p.b * Threads + p.t + (ok ? 0 : p.b * Threads)];
    break;
  case 18: // a pointer that is a number
    d.out[p.i] = *(ok ? d.in : reinterpret_cast<const int *>(u64(d.in[5])));
    break;
  case 19: // copies and fills
    if (p.i == 0)
      std::memcpy(d.out, d.in, size_t(ok ? end : end + 4));
    break;
  case 20:
    if (p.i == 0)
      std::memset(d.out, 1, size_t(ok ? end : end + 1));
    break;
  case 21: // shared memory
    d.out[p.i] = s[p.t + (ok ? 0 : 1 << 16)];
    break;
  case 22:
    s[p.t + (ok ? 0 : 1 << 17)] = 1;
    break;
  case 23:
    std::atomic_ref<int>(s[ok ? 0 : 1 << 16]).fetch_add(1);
    break;
  case 24: { // beyond the stack
    volatile int own[4] = {1, 2, 3, 4};
    d.out[p.i] = own[(p.i & 3) + (ok ? 0 : 1 << 20)];
    break;
  }
  case 25: { // no function
    int (*volatile f)(int) = ok ? &add : nullptr;
    d.out[p.i] = f(p.i);
    break;
  }
  case 26: // copies and texts
    if (p.i == 0)
      std::memmove(d.out + (ok ? 0 : 1), d.in, size_t(end));
    break;
  case 27: // without an end
    if (p.i == 0) {
      auto *text = reinterpret_cast<volatile char *>(d.out);
      for (long n = 0; n != end; ++n)
        text[n] = n == end - 1 && ok ? 0 : 'x';
      int length = 0;
      while (text[length])
        ++length;
      d.out[0] = length;
    }
    break;
  case 28: { // row and column
    const int row = p.i / 16, column = p.i % 16;
    d.out[p.i] = ok ? d.in[row * 16 + column] : d.in[column * 16 + row];
    break;
  }
  case 29: // a neighbour behind the last row
    d.out[p.i] = d.in[ok && p.i + 8 >= d.n ? p.i : p.i + 8];
    break;
  case 30: // the remainder of a negative number
    d.out[p.i] = d.in[ok ? (p.i - Threads) & (d.n - 1) : (p.i - Threads) % d.n];
    break;
  case 31: // a product that has lost its upper bits
    d.out[p.i] = d.in[ok ? unsigned(p.i) : unsigned(p.i) * 0x40000000u];
    break;
  case 32: // bytes taken for elements
    if (p.i == 0) {
      int sum = 0;
      for (long n = 0; n < (ok ? d.n : end); ++n)
        sum += d.in[n];
      d.out[0] = sum;
    }
    break;
  case 33:
    if (p.i == 0)
      reinterpret_cast<four *>(d.out)[d.n / 4 - (ok ? 1 : 0)].w = 1;
    break;
  case 34: {
    int none = -1;
    if (p.i == 0)
      __atomic_compare_exchange_n(reinterpret_cast<int *>(at(ok ? 4 : 6)),
                                  &none, 1, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED);
    break;
  }
  case 35: // an address in memory, of what was freed
    if (p.i == 0) {
      auto *table = reinterpret_cast<volatile u64 *>(d.fresh);
      table[1] = ok ? u64(d.in) : d.freed;
      d.out[0] = *reinterpret_cast<int *>(table[1]);
    }
    break;
  case 36: { // a member of null
    const auto *volatile v = ok ? reinterpret_cast<four *>(d.in) : nullptr;
    d.out[p.i] = v->w;
    break;
  }
  case 37:
    std::atomic_ref(d.out[ok ? 0 : -2]).fetch_sub(1);
    break;
  case 38:
    if (p.i == 0)
      __atomic_fetch_or(reinterpret_cast<u64 *>(d.out + d.n - (ok ? 2 : 0)), 1,
                        __ATOMIC_RELAXED);
    break;
  case 39: // a copy of which one half is behind the end
    if (p.i == 0)
      std::memcpy(d.out + d.n - (ok ? 8 : 4), d.in, 32);
    break;
  case 40:
    d.out[p.i] = *at(ok ? 0 : -1);
    break;
  case 41:
    d.out[p.i] = reinterpret_cast<short *>(d.in)[2 * d.n - (ok ? 1 : 0)];
    break;
  case 42:
    if (p.i == 0)
      reinterpret_cast<double *>(d.out)[d.n / 2 - (ok ? 1 : 0)] = 1;
    break;
  case 43: // one stride too many
    for (int n = p.i; n < (ok ? d.n : d.n + All); n += All)
      d.out[n] = n;
    break;
  case 44: { // a search that looks behind the last element
    int low = 0, high = ok ? d.n - 1 : d.n;
    while (low <= high) {
      const int middle = (low + high) / 2;
      if (d.in[middle] < 1000 + p.i)
        low = middle + 1;
      else
        high = middle - 1;
    }
    d.out[p.i] = low;
    break;
  }
  case 45: { // planes that are taken for larger ones
    const int z = p.i / 64, y = p.i / 8 % 8, x = p.i % 8;
    d.out[p.i] = d.in[(z * (ok ? 8 : 16) + y) * 8 + x];
    break;
  }
  case 46: // a mark in an address
    d.out[p.i] = *reinterpret_cast<int *>(u64(d.in) | (ok ? 0 : 1ull << 60));
    break;
  case 47: // half an address
    d.out[p.i] =
        *reinterpret_cast<int *>(u64(d.in) & (ok ? ~0ull : 0xffffffffull));
    break;
  }
}

//===--- Races -------------------------------------------------------------===//

static void wait(bool ok) {
  if (ok)
    xcc::sync_block();
}

static void races(int which, bool ok, data d) {
  static xcc::block_shared<int[2 * Threads]> s;
  static xcc::block_shared<int> one;
  const place p{int(xcc::thread_idx().x), int(xcc::block_idx().x),
                int(xcc::block_idx().x) * Threads + int(xcc::thread_idx().x)};
  int *o = d.out;
  const int half = Threads / 2, other = (p.t + half) % Threads;
  s[p.t] = p.t;
  s[p.t + Threads] = 0;
  if (!p.t)
    one = 0;
  xcc::sync_block();
  switch (which) {
  case 0: // a sum
    if (ok)
      std::atomic_ref(o[0]).fetch_add(1);
    else
      o[0] = o[0] + 1;
    break;
  case 1: // what another block's thread writes
    o[p.i] = p.i;
    if (!ok)
      o[(p.i + Threads) % All] = o[(p.i + Threads) % All] + 1;
    break;
  case 2: // a shift in place
    if (ok)
      o[p.i] = d.in[(p.i + half) % All];
    else
      o[p.i] = o[(p.i + half) % All];
    break;
  case 3: // no barrier after a write
    s[p.t] = 7 + p.t;
    wait(ok);
    o[p.i] = s[other];
    break;
  case 4: // no barrier after a read
    o[p.i] = s[other];
    wait(ok);
    s[p.t] = 1;
    break;
  case 5: // a reduction
    for (int step = half; step; step /= 2) {
      if (p.t < step)
        s[p.t] = s[p.t] + s[p.t + step];
      if (ok || step < half)
        xcc::sync_block();
    }
    o[p.i] = ok ? s[0] : 0;
    break;
  case 6: // a scan in place
    for (int step = 1; step < Threads; step *= 2) {
      const int left = p.t >= step ? s[p.t - step] : 0;
      wait(ok);
      s[p.t] = s[p.t] + left;
      xcc::sync_block();
    }
    o[p.i] = s[p.t];
    break;
  case 7: // a counter
    if (ok)
      std::atomic_ref<int>(one).fetch_add(1);
    else
      one = one + 1;
    break;
  case 8: // of one thread, for all
    if (p.t == 0)
      one = 5;
    wait(ok);
    o[p.i] = one;
    break;
  case 9:
    if (p.t == Threads - 1)
      one = 5;
    wait(ok);
    if (p.t < half)
      o[p.i] = one;
    break;
  case 10: { // two buffers of which one is used too early
    int *from = &s[0], *to = &s[Threads];
    for (int turn = 0; turn != 4; ++turn) {
      to[p.t] = from[other] + 1;
      wait(ok);
      std::swap(from, to);
    }
    o[p.i] = from[p.t];
    break;
  }
  case 11: // a histogram
    if (ok)
      std::atomic_ref<int>(s[Threads + p.t % 4]).fetch_add(1);
    else
      s[Threads + p.t % 4] = s[Threads + p.t % 4] + 1;
    break;
  case 12:
    if (ok)
      std::atomic_ref(o[p.i % 4]).fetch_add(1);
    else
      o[p.i % 4] += 1;
    break;
  case 13: // a transposition
    s[p.t] = d.in[p.t];
    wait(ok);
    o[p.i] = s[(p.t % 8) * 8 + p.t / 8];
    break;
  case 14: // a halo in device memory
    o[p.i] = p.i;
    wait(ok);
    if (p.t >= half)
      d.fresh[p.i] = o[p.i - half];
    break;
  case 15: // blocks that overlap
    o[(ok ? p.b * Threads : p.b * half) + p.t] = p.i;
    break;
  case 16: // a maximum
    if (ok) {
      std::atomic_ref max(o[0]);
      for (int old = max.load();
           old < p.i && !max.compare_exchange_weak(old, p.i);)
        ;
    } else if (o[0] < p.i) {
      o[0] = p.i;
    }
    break;
  case 17: // a list's head
    if (ok)
      d.fresh[p.i] = std::atomic_ref(o[0]).exchange(p.i);
    else
      d.fresh[p.i] = o[0], o[0] = p.i;
    break;
  case 18: // a barrier too few in a loop
    for (int turn = 0; turn != 3; ++turn) {
      if (p.t == turn)
        one = turn;
      xcc::sync_block();
      o[p.i] = one;
      wait(ok);
    }
    break;
  case 19: // bytes of one word are no race; the same byte is one
    reinterpret_cast<char *>(o)[ok ? p.i : p.i / 2] = char(p.i);
    if (!ok)
      o[p.i] = reinterpret_cast<char *>(o)[(p.i + half) % All];
    break;
  case 20: // stack memory that is passed on is a thread's own
    if (ok)
      o[p.i] = s[p.t];
    else
      s[p.t] = s[other];
    break;
  case 21: // a stencil in place
    if (ok)
      d.fresh[p.i] = o[p.i] + o[(p.i + half) % All];
    else
      o[p.i] = o[p.i] + o[(p.i + half) % All];
    break;
  case 22: // a reset by all, a sum by all
    s[other] = 0;
    wait(ok);
    s[p.t] = s[p.t] + 1;
    break;
  case 23: // what the first block writes, the second reads
    if (p.b == 0)
      o[p.t] = 1;
    else
      o[p.i] = ok ? d.in[p.t] : o[p.t];
    break;
  case 24: // an index in the block, where one in the grid is meant
    o[ok ? p.i : p.t] += 1;
    break;
  case 25: { // places that are given out
    const int place = ok ? std::atomic_ref<int>(one).fetch_add(1) : one;
    if (!ok)
      one = place + 1;
    d.fresh[p.b * Threads + place % Threads] = ok ? p.t : 0;
    break;
  }
  case 26: { // tiles: no barrier before the next one
    int sum = 0;
    for (int tile = 0; tile != 3; ++tile) {
      s[p.t] = d.in[(p.t + tile) % All];
      xcc::sync_block();
      sum += s[other];
      wait(ok);
    }
    o[p.i] = sum;
    break;
  }
  case 27: // a minimum
    if (ok)
      o[p.i] = s[p.t];
    else if (one > -p.t)
      one = -p.t;
    break;
  case 28: { // an exchange that both partners do
    const int partner = Threads - 1 - p.t;
    if (!ok || p.t < partner)
      std::swap(s[p.t], s[partner]);
    break;
  }
  case 29: // a sort by neighbours
    for (int phase = 0; phase != 4; ++phase) {
      if (p.t % 2 == phase % 2 && p.t + 1 < Threads && s[p.t] < s[p.t + 1])
        std::swap(s[p.t], s[p.t + 1]);
      wait(ok);
    }
    break;
  case 30: // one block clears what the other adds to
    if (p.b == 0)
      o[(ok ? 0 : Threads) + p.t] = 0;
    else
      o[p.i] += 1;
    break;
  case 31: // each from the one before
    if (p.i)
      o[p.i] = (ok ? d.in : o)[p.i - 1] + 1;
    break;
  case 32: // a permutation in place
    (ok ? d.fresh : o)[p.i * 5 % All] = o[p.i];
    break;
  case 33: // two threads with one place
    o[ok ? p.i : p.i * 2 % All] += 1;
    break;
  case 34: // written while others still read
    for (int turn = 0; turn != 3; ++turn) {
      o[p.i] += one;
      wait(ok);
      if (p.t == 0)
        one = turn;
      xcc::sync_block();
    }
    break;
  case 35: // the sums of two warps
    if (p.t % half == 0)
      s[p.t / half] = p.t;
    wait(ok);
    if (p.t == 0)
      o[p.i] = s[0] + s[1];
    break;
  case 36: // cleared by one thread
    if (p.t == 0)
      for (int n = 0; n != Threads; ++n)
        s[n] = 0;
    wait(ok);
    s[p.t] = s[p.t] + 1;
    break;
  case 37: // bits of a word
    if (ok)
      std::atomic_ref(o[0]).fetch_or(1 << p.i % 32);
    else
      o[0] |= 1 << p.i % 32;
    break;
  }
}

//===--- Uninitialised values ----------------------------------------------===//

[[gnu::noinline]] static int twice(int v) { return 2 * v; }
[[gnu::noinline]] static four doubled(four v) {
  return {2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w};
}

static void init(int which, bool ok, data d) {
  static xcc::block_shared<int[Threads + 1]> s;
  static xcc::block_shared<float[Threads]> f;
  const place p{int(xcc::thread_idx().x), int(xcc::block_idx().x),
                int(xcc::block_idx().x) * Threads + int(xcc::thread_idx().x)};
  int *o = d.out, *x = d.fresh;
  const int i = p.i;
  if (ok && (which < 20 || which >= 24))
    x[i] = i;
  auto flag = [&](bool is) {
    if (is)
      o[i] = 1;
  };
  switch (which) {
  case 0:
    flag(x[i] == 3);
    break;
  case 1:
    flag(x[i] > 3);
    break;
  case 2:
    o[i] = x[i];
    break;
  case 3:
    o[i] = x[i] + 1;
    break;
  case 4:
    o[x[i] & 127] = 1;
    break;
  case 5:
    o[i] = twice(x[i]);
    break;
  case 6:
    o[i] = x[i] * x[i];
    break;
  case 7:
    flag((x[i] & 12) == 4);
    break;
  case 8:
    flag((x[i] ^ 5) < 0);
    break;
  case 9:
    o[i] = x[i] ? 2 : 3;
    break;
  case 10:
    flag((x[i] << 3) == 24);
    break;
  case 11:
    flag((unsigned(x[i]) >> 7) == 1);
    break;
  case 12:
    o[i] = int(float(x[i]) * 2);
    break;
  case 13:
    switch (x[i]) {
    case 0:
      o[i] = 5;
      break;
    case 1:
      o[i] = twice(i);
      break;
    case 2:
      o[i] = 9 + d.in[i];
      break;
    case 3:
      o[i] = i;
      break;
    default:
      o[i] = 1;
    }
    break;
  case 14:
    for (int n = 0; n < (x[i] & 3); ++n)
      o[i] += n;
    break;
  case 15:
    o[i] = x[i] / 3;
    break;
  case 16:
    flag(std::atomic_ref(x[i]).fetch_add(1) == 1);
    break;
  case 17:
    o[i] = xcc::shuffle_xor(x[i], 1);
    break;
  case 18:
    std::memcpy(&o[i], &x[i], 4);
    break;
  case 19:
    flag(__builtin_popcount(unsigned(x[i])) == 2);
    break;
  case 20: // shared memory
    if (ok || p.t != 9)
      s[p.t] = i;
    xcc::sync_block();
    o[i] = s[Threads - 1 - p.t];
    break;
  case 21: {
    if (ok || p.t != 9)
      f[p.t] = 1;
    xcc::sync_block();
    float sum = 0;
    for (float v : *&f)
      sum += v;
    flag(sum > 10);
    break;
  }
  case 22: { // a part of a vector
    auto *v = reinterpret_cast<four *>(x) + i / 4;
    if (i % 4 == 0) {
      v->x = 1;
      v->y = 2;
      if (ok)
        v->z = 3;
      const four all = doubled(*v);
      o[i] = all.x + all.z;
    }
    break;
  }
  case 23: { // one bit of a byte
    auto *b = reinterpret_cast<unsigned char *>(x) + i;
    const unsigned now = (*b & 0xf0u) | 5u;
    flag(now & (ok ? 4 : 16));
    break;
  }
  case 24:
    flag(x[i] < d.in[i]);
    break;
  case 25:
    o[i] = -x[i];
    break;
  case 26:
    o[i] = __builtin_clz(unsigned(x[i]) | 1u);
    break;
  case 27:
    o[i] = std::max(x[i], 3);
    break;
  case 28:
    o[i] = std::abs(x[i]);
    break;
  case 29:
    flag(reinterpret_cast<float *>(x)[i] > 1);
    break;
  case 30: // an address, by a second table
    o[d.in[x[i] & 127] & 127] = 1;
    break;
  case 31:
    o[i] = int(u64(unsigned(x[i])) * 3 >> 4);
    break;
  case 32:
    flag(x[i] % 7 == 3);
    break;
  case 33: { // a member of a structure that was copied
    if (i % 4)
      break;
    auto *v = reinterpret_cast<four *>(d.fresh + All) + i / 4;
    v->x = 1;
    if (ok)
      v->w = 2;
    four copy;
    std::memcpy(&copy, v, sizeof(copy));
    flag(copy.w == 2);
    break;
  }
  }
}

//===--- Beyond a variable of shared memory -----------------------------------===//

/// What is behind a variable is the next one's on a GPU.
static void beyond(int which, bool ok, data d) {
  static xcc::block_shared<int[Threads]> a, b;
  static xcc::block_shared<int[4]> c;
  static xcc::block_shared<char[13]> text;
  const int t = int(xcc::thread_idx().x);
  a[t] = b[t] = t;
  if (!t) {
    for (int &number : c)
      number = 1;
    for (char &letter : text)
      letter = 'a';
  }
  xcc::sync_block();
  const int one = ok ? 0 : d.in[1];
  int got = 0;
  switch (which) {
  case 0:
    got = a[t + one];
    break;
  case 1:
    got = b[t + one];
    break;
  case 2: // written, by its address
    if (!t)
      *(&a[Threads - 1] + one) = 1;
    break;
  case 3:
    std::atomic_ref(b[Threads - 1 + one]).fetch_add(1);
    break;
  case 4: // of a small one
    got = c[3 + one];
    break;
  case 5: // a byte
    if (!t)
      text[12 + one] = 'b';
    break;
  case 6: // far behind
    got = a[t + 8 * one];
    break;
  case 7: // in front
    got = a[t - one];
    break;
  case 8:
    got = b[t - one];
    break;
  case 9:
    if (!t)
      *(&c[0] - one) = 1;
    break;
  case 10:
    if (!t)
      text[-one] = 'b';
    break;
  case 11:
    std::atomic_ref(b[-one]).fetch_add(1);
    break;
  }
  xcc::sync_block();
  d.out[int(xcc::block_idx().x) * Threads + t] =
      got + a[t] + b[t] + c[3] + text[t % 13];
}

//===--- Beyond a local variable ---------------------------------------------===//

[[gnu::noinline]] static void fill(int *numbers, int from, int until) {
  for (int n = from; n != until; ++n)
    numbers[n] = n;
}
[[gnu::noinline]] static int sumOf(const int *numbers, int from, int until) {
  int sum = 0;
  for (int n = from; n != until; ++n)
    sum += numbers[n];
  return sum;
}
struct row {
  char name[5];
  short marks[6];
};
[[gnu::noinline]] static int depths(int left, int one) {
  int own[3];
  fill(own, 0, 3);
  const int below = left ? depths(left - 1, one) : 0;
  return below + sumOf(own, 0, left ? 3 : 3 + one);
}

/// A local variable has a neighbour on the stack of a GPU.
[[gnu::noinline]] static int listed(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int n = 0; n != count; ++n)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}

static void local(int which, bool ok, data d) {
  const int i = int(xcc::block_idx().x) * Threads + int(xcc::thread_idx().x);
  const int one = ok ? 0 : d.in[1];
  int first[4], second[16];
  fill(first, 0, 4);
  fill(second, 0, 16);
  int got = 0;
  switch (which) {
  case 0: // read behind
    got = sumOf(first, 0, 4 + one);
    break;
  case 1:
    got = sumOf(second, 0, 16 + one);
    break;
  case 2: // in front
    got = sumOf(first, -one, 4);
    break;
  case 3: // written
    fill(second, 0, 16 + one);
    break;
  case 4:
    fill(first, -one, 4);
    break;
  case 5: { // by an index
    second[(i & 15) + 16 * one] = 1;
    break;
  }
  case 6: { // bytes, behind an odd number of them
    char text[13];
    for (int n = 0; n != 13 + one; ++n)
      const_cast<volatile char *>(text)[n] = char(n);
    got = text[i % 13];
    break;
  }
  case 7: { // in a structure's last member
    row r{};
    for (int n = 0; n != 6 + one; ++n)
      const_cast<volatile short *>(r.marks)[n] = short(n);
    got = r.marks[i % 6];
    break;
  }
  case 8: // of one lane in the last of several calls
    got = depths(i & 3, (i & 3) == 3 ? one : 0);
    break;
  case 9: { // a number whose address is known
    int number = i;
    fill(&number, 0, 1 + one);
    got = number;
    break;
  }
  case 10: // behind a function with a variable list of arguments
    got = listed(4, 1, 2, 3, i) + sumOf(first, 0, 4 + one);
    break;
  }
  d.out[i] = got + sumOf(first, 0, 4) + sumOf(second, 0, 16);
}

//===--- Waiting forever -----------------------------------------------------===//

/// The first thread of each block, in a loop.
static void waits(int which, bool ok, data d) {
  if (xcc::thread_idx().x)
    return;
  const int b = int(xcc::block_idx().x);
  std::atomic_ref one(d.out[0]), two(d.out[1]);
  switch (which) {
  case 0: // for a flag that nobody sets
    if (b == 0)
      while (one != 5)
        ;
    else if (ok)
      one = 5;
    break;
  case 1: // for a lock that is not given back
    while (two.exchange(7) == 7)
      ;
    d.out[3 + b] = b;
    if (ok)
      two = 1;
    break;
  case 2: // for each other
    if (!ok || b == 1)
      while (b ? one != 5 : two != 5)
        ;
    (b ? two : one) = 5;
    break;
  }
}

//===--- The runner --------------------------------------------------------===//

template <void (*Kernel)(int, bool, data)>
static void runOne(int which, bool ok) {
  std::vector<int> numbers(All);
  for (int n = 0; n != All; ++n)
    numbers[size_t(n)] = n;
  xcc::buffer in(numbers), out(numbers);
  xcc::buffer<int> fresh(4 * All);
  u64 freed;
  {
    xcc::buffer<int> old(All);
    freed = reinterpret_cast<u64>(old.data());
  }
  xcc::synchronize();
  std::fprintf(stderr, "case %d\n", which);
  xcc::launch(
      {{Blocks}, {Threads}},
      [which, ok, d = data{in.data(), out.data(), fresh.data(), freed, All}] {
        Kernel(which, ok, d);
      });
  xcc::synchronize();
  (void)out.to_vector();
}

/// What a process of its own says that runs those cases, from first to last.
template <class Run> static std::string said(int first, int last, Run run) {
  int ends[2];
  if (pipe(ends) != 0)
    std::abort();
  const pid_t child = fork();
  if (!child) {
    dup2(ends[1], 2);
    close(ends[0]);
    try {
      for (int which = first; which != last; ++which)
        run(which);
      std::fprintf(stderr, "case end\n");
    } catch (const std::exception &e) {
      std::fprintf(stderr, "error: %s\n", e.what());
      std::exit(1);
    }
    std::exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof(part))) > 0;)
    text.append(part, size_t(n));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

/// The part of it about one case.
static std::string of(const std::string &all, int which) {
  const size_t begin = all.find("case " + std::to_string(which) + "\n");
  if (begin == all.npos)
    return "nothing was run";
  return all.substr(begin, all.find("case ", begin + 5) - begin);
}

template <void (*Kernel)(int, bool, data)>
static void check(const char *name, int count, const char *fault,
                  bool together) {
  int found = 0, right = 0;
  std::string all;
  auto faulty = [](int which) { runOne<Kernel>(which, false); };
  auto twin = [](int which) { runOne<Kernel>(which, true); };
  if (together)
    all = said(0, count, faulty);
  for (int which = 0; which != count; ++which) {
    const std::string text =
        together ? of(all, which) : said(which, which + 1, faulty);
    const bool is = text.find(fault) != text.npos;
    found += is;
    if (!is)
      std::printf("%s %d is missed: %s\n", name, which, text.c_str());
  }
  all = said(0, count, twin);
  for (int which = 0; which != count; ++which) {
    const std::string text = of(all, which);
    const bool is = text == "case " + std::to_string(which) + "\n";
    right += is;
    if (!is)
      std::printf("%s %d is accused: %s\n", name, which, text.c_str());
  }
  std::printf("%s: %d of %d found, %d of %d twins right\n", name, found, count,
              right, count);
}

int main(int count, char **words) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  for (int n = 1; n < count; ++n) {
    if (!std::strcmp(words[n], "memory"))
      check<memory>("memory", 48, "error: kernel", false);
    else if (!std::strcmp(words[n], "beyond"))
      check<beyond>("beyond", 12, " variable ", false);
    else if (!std::strcmp(words[n], "local"))
      check<local>("local", 11, " a variable of ", false);
    else if (!std::strcmp(words[n], "waits"))
      check<waits>("waits", 3, "DEADLOCK", false);
    else if (!std::strcmp(words[n], "races"))
      check<races>("races", 38, "a race: ", true);
    else
      check<init>("init", 34, "uninitialised", true);
  }
}
