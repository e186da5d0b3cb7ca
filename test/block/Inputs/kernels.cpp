// One kernel for each way to be cut
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "xcc_device.h"

KERNEL(k_saxpy) {
  int i = global();
  if (i < p->n)
    p->y[i] = p->a * p->x[i] + p->y[i];
}

// Rows of 64: a stencil that skips the edges.
KERNEL(k_stencil) {
  int i = __xcc_block_idx_x() * __xcc_block_dim_x() + __xcc_thread_idx_x();
  int j = __xcc_block_idx_y() * __xcc_block_dim_y() + __xcc_thread_idx_y();
  int w = 64, h = p->n / 64;
  if (__xcc_thread_idx_z() || __xcc_block_idx_z())
    return;
  if (i < 1 || j < 1 || i >= w - 1 || j >= h - 1)
    return;
  const float *x = p->x + j * w + i;
  p->y[j * w + i] = 0.25f * (x[-1] + x[1] + x[-w] + x[w]) - x[0];
}

SHARED float tile[1024];
KERNEL(k_reverse) {
  tile[linear()] = p->x[global()];
  sync();
  p->y[global()] = tile[threads() - 1 - linear()];
}

KERNEL(k_reduce) {
  unsigned t = linear();
  tile[t] = int(global()) < p->n ? p->x[global()] : 0;
  sync();
  for (unsigned half = 512; half > 0; half /= 2) {
    if (t < half && t + half < threads())
      tile[t] += tile[t + half];
    sync();
  }
  if (t == 0)
    p->y[block_linear()] = tile[0];
}

SHARED float left[16][16], right[16][16];
KERNEL(k_tiles) {
  unsigned tx = linear() % 16, ty = linear() / 16 % 16;
  float sum = 0, last = 0;
  for (int t = 0; t < p->n; t += 16) {
    left[ty][tx] = p->x[(t + tx) & 1023];
    right[ty][tx] = p->x[(t * 3 + ty) & 1023];
    sync();
    for (int k = 0; k < 16; ++k)
      sum += left[ty][k] * right[k][tx];
    last = sum * p->a;
    sync();
  }
  p->y[global()] = sum + last;
}

KERNEL(k_uniform_branch) {
  float v = p->x[global()];
  if (p->n > 50) {
    tile[linear()] = v;
    sync();
    v += tile[(linear() + 1) % threads()];
  } else {
    v *= 2;
  }
  if (block_linear() & 1) {
    sync();
    tile[linear()] = v + 1;
    sync();
    v -= tile[(linear() + 3) % threads()];
  }
  p->y[global()] = v;
}

KERNEL(k_divergent_branch) {
  if (linear() % 3 == 1)
    sync();
  else
    sync();
  p->v[global()] = 5;
}

// Threads that leave do not take part in later barriers.
KERNEL(k_early_return) {
  int i = global();
  tile[linear()] = 1;
  sync();
  if (i >= p->n)
    return;
  tile[linear()] = p->x[i];
  sync();
  p->y[i] = tile[(linear() / 2)] + 1;
}

// Threads leave a loop at different turns, and use what the loop computed.
KERNEL(k_divergent_loop) {
  int t = linear(), k = 0, last = 0;
  while (k < (p->u[global()] & 15)) {
    last = k * k;
    ++k;
  }
  sync();
  p->v[global()] = last + k;
  sync();
  p->v[global()] += t;
}

KERNEL(k_private_array) {
  int mine[8];
  for (int i = 0; i < 8; ++i)
    mine[i] = p->u[(global() + i) % 1000];
  sync();
  int at = p->u[global()] & 7;
  mine[at] += p->n;
  sync();
  for (int i = 0; i < 8; ++i)
    p->v[global()] += mine[i] * (i + 1);
}

// An array whose contents pass from turn to turn, by an address kept in a
// private variable.
KERNEL(k_private_pointer) {
  int ring[4] = {1, 2, 3, 4};
  int *at = ring + (linear() & 3);
  for (int i = 0; i < (p->n & 7); ++i) {
    *at += i;
    sync();
    at = ring + ((at - ring + p->u[i]) & 3);
  }
  p->v[global()] = *at + ring[0] * 3;
}

// Two variables that swap at every turn.
KERNEL(k_swap) {
  int a = p->u[global()], b = linear();
  for (int i = 0; i < (p->n & 15); ++i) {
    sync();
    int c = a;
    a = b;
    b = c;
  }
  p->v[global()] = a * 2000 + b;
}

KERNEL(k_shuffle) {
  int v = p->u[global()];
  for (int d = 16; d; d /= 2)
    v += shuffle(v, linear() + d);
  p->v[global()] = v;
}

KERNEL(k_warp_mask) {
  unsigned m = __xcc_warp_barrier();
  p->v[global()] = m;
  if ((linear() & 3) == 0)
    m = __xcc_warp_barrier();
  p->v[global()] += m;
}

static int fibonacci(int n) {
  if (n < 2)
    return n + linear();
  return fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL(k_recursion) { p->v[global()] = fibonacci(linear() % 7); }

static __attribute__((noinline)) int add_index(int v) { return v + linear(); }
static __attribute__((noinline)) int sub_index(int v) {
  return v - __xcc_thread_idx_x();
}
SHARED int hidden[1024];
static __attribute__((noinline)) int share(int v) {
  hidden[linear()] = v;
  return hidden[linear()] + 1;
}
KERNEL(k_indirect) {
  static int (*const functions[])(int) = {add_index, sub_index, share};
  int (*f)(int) = functions[p->u[global()] % 3];
  p->v[global()] = f(7);
}

static int (*volatile chosen)(int);
static __attribute__((noinline)) int waiting(int v) {
  sync();
  return v + 1;
}
KERNEL(k_indirect_barrier) {
  chosen = waiting;
  p->v[global()] = chosen(linear());
}

KERNEL(k_atomics) {
  __atomic_fetch_add(&p->v[p->u[global()] & 15], 1, __ATOMIC_RELAXED);
  sync();
  if (linear() == 0)
    __atomic_fetch_add(&p->v[100], 1, __ATOMIC_RELAXED);
}

KERNEL(k_nested) {
  float sum = 0;
  for (int i = 0; i < (p->n & 3) + 1; ++i) {
    tile[linear()] = p->x[global()] + i;
    sync();
    for (int j = 0; j < i + 2; ++j) {
      sum += tile[(linear() + j) % threads()];
      if (j & 1) {
        sync();
        tile[linear()] = sum * 0.5f;
        sync();
      } else if (p->u[global()] > 500) {
        sum -= 1;
      }
    }
    sync();
  }
  p->y[global()] = sum;
}

// A condition that all threads load and one changes between barriers.
SHARED int more;
KERNEL(k_shared_condition) {
  int turns = 0;
  if (linear() == 0)
    more = p->n & 7;
  sync();
  while (more > 0) {
    ++turns;
    sync();
    if (linear() == 0)
      more -= 1;
    sync();
  }
  p->v[global()] = turns;
}

KERNEL(k_dynamic) {
  int *shared = static_cast<int *>(__xcc_dynamic_shared());
  shared[linear()] = p->u[global()];
  sync();
  bool odd = shared[linear()] & 1;
  sync();
  p->v[global()] = shared[(linear() * 7 + 1) % threads()] +
                   int(__xcc_dynamic_shared_size()) + odd;
}

struct guard {
  int *at;
  ~guard() { *at += 3; }
};
void may_throw(int);
KERNEL(k_cleanup) {
  guard g{&p->v[global()]};
  if (p->u[global()] == 5000)
    throw 1;
  sync();
  p->v[global()] += 1;
}

KERNEL(k_switch) {
  int v = linear();
  switch (p->n & 3) {
  case 0:
    sync();
    v += 1;
    break;
  case 1:
    tile[linear()] = v;
    sync();
    v += tile[(linear() + 1) % threads()];
    [[fallthrough]];
  default:
    v *= 3;
  }
  p->v[global()] = v;
}

// A test of the prologue's that two regions ask.
KERNEL(k_asked_twice) {
  unsigned sum = linear(), s = p->n & 15;
  int keep[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  if (p->n % 3u != 1u) {
    for (unsigned i = 0; i < s % 5u; ++i)
      keep[global() & 7] = p->u[i];
    sync();
    sum += s;
  }
  for (int i = 0; i < 8; ++i)
    sum = sum * 31 + keep[i];
  p->v[global()] = sum;
}

// Threads count in shared memory; the histogram's order does not matter.
SHARED int bins[64];
KERNEL(k_histogram) {
  unsigned t = linear();
  for (unsigned i = t; i < 64; i += threads())
    bins[i] = 0;
  sync();
  for (unsigned i = global(); i < unsigned(p->n); i += 512)
    __atomic_fetch_add(&bins[p->u[i] & 63], 1, __ATOMIC_RELAXED);
  int expected = 0;
  if (t > 2)
    __atomic_compare_exchange_n(&bins[63], &expected, 1000, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  sync();
  for (unsigned i = t; i < 64; i += threads())
    __atomic_fetch_add(&p->v[i], bins[i], __ATOMIC_RELAXED);
  p->v[1000 + global()] = __atomic_load_n(&bins[3], __ATOMIC_RELAXED);
}

// Loops over data by the size of the grid: one that stores, one that sums up,
// one that counts in shared memory.
static unsigned long start() {
  return (unsigned long)__xcc_block_idx_x() * __xcc_block_dim_x() +
         __xcc_thread_idx_x();
}
static unsigned long step() {
  return (unsigned long)__xcc_grid_dim_x() * __xcc_block_dim_x();
}
KERNEL(k_strided_store) {
  if (__xcc_block_idx_y() || __xcc_block_idx_z() || __xcc_thread_idx_y() ||
      __xcc_thread_idx_z())
    return;
  unsigned long n = p->n;
  for (unsigned long i = start(); i < n; i += step())
    p->y[i] = p->a * p->x[i] + p->y[i];
}
KERNEL(k_strided_sum) {
  float sum = 1;
  for (int i = start(); i < p->n; i += step())
    sum += p->x[i] * p->a;
  p->y[global()] = sum;
}
KERNEL(k_strided_histogram) {
  for (unsigned i = linear(); i < 64; i += threads())
    bins[i] = 0;
  sync();
  unsigned long n = p->n;
  for (unsigned long i = start(); i < n; i += step())
    __atomic_fetch_add(&bins[p->u[i] & 63], 1, __ATOMIC_RELAXED);
  sync();
  for (unsigned i = linear(); i < 64; i += threads())
    __atomic_fetch_add(&p->v[i], bins[i], __ATOMIC_RELAXED);
}
KERNEL(k_strided_nested) {
  int total = 0;
  unsigned long n = p->n;
  for (unsigned long i = start(); i < n; i += step()) {
    int v = p->u[i];
    while (v > 3)
      v /= 2;
    total = total * 3 + v;
    if (v == 2)
      continue;
    p->v[i] = total;
  }
  p->y[global()] = total & 0xffff;
}
KERNEL(k_strided_plain) {
  unsigned long n = p->n;
  for (unsigned long i = start(); i < n; i += step())
    if (__xcc_block_idx_y() + __xcc_block_idx_z() + __xcc_thread_idx_y() +
            __xcc_thread_idx_z() ==
        0)
      p->y[i] = p->a * p->x[i] + p->y[i];
}
KERNEL(k_leave_then_wait) {
  int i = __xcc_block_idx_x() * __xcc_block_dim_x() + __xcc_thread_idx_x();
  if (i >= p->n)
    return;
  tile[linear()] = p->x[i];
  for (int t = 0; t < 3; ++t) {
    sync();
    float v = tile[linear() & ~1u];
    sync();
    tile[linear()] = v * 0.5f + t;
  }
  p->y[global()] = tile[linear()];
}
KERNEL(k_all_pairs) {
  int i = __xcc_block_idx_x() * __xcc_block_dim_x() + __xcc_thread_idx_x();
  if (i >= p->n)
    return;
  float sum = 0, here = p->x[i];
  for (int j = 0; j < p->n; ++j) {
    float d = p->x[j] - here;
    sum += d * d / (d + 9.5f);
  }
  p->y[global()] = sum;
}
