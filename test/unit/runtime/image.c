// A CPU image written by hand
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler would make: block functions, their kernel objects and the
// image's own record, as a shared object.

#include "xcc/abi.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT xcc_cpu_image __xcc_image = {XCC_ABI_VERSION, 0, 0};

#define KERNEL(name, fn, kflags, group, priv, kernarg)                         \
  EXPORT const xcc_cpu_kernel name = {                                         \
      XCC_ABI_VERSION, kflags, (void (*)(void))fn, group, priv, kernarg, 0,    \
      0x1234}

static uint64_t block_threads(const xcc_cpu_group *g) {
  return (uint64_t)g->block_dim[0] * g->block_dim[1] * g->block_dim[2];
}

// void nothing()
static void nothing(const xcc_cpu_group *g, uint64_t first, uint64_t last) {}
KERNEL(k_nothing, nothing, 0, 0, 0, 0);

// void increment(unsigned *data): data[linear id] += 1
static void increment(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  uint32_t *data = *(uint32_t **)g->kernarg;
  uint64_t n = block_threads(g);
  for (uint64_t i = first * n; i < last * n; ++i)
    data[i] += 1;
}
KERNEL(k_increment, increment, 0, 0, 0, 8);

// void append(unsigned *list, unsigned value): list[++list[0]] = value
struct AppendArgs {
  uint32_t *list;
  uint32_t value;
};
static void append(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  const struct AppendArgs *a = g->kernarg;
  for (uint64_t b = first; b < last; ++b)
    a->list[++a->list[0]] = a->value;
}
KERNEL(k_append, append, 0, 0, 0, 16);

// void count(unsigned *counter): one atomic increment for each block
static void count(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  uint32_t *counter = *(uint32_t **)g->kernarg;
  for (uint64_t b = first; b < last; ++b)
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}
KERNEL(k_count, count, 0, 0, 0, 8);

/// Changes its own copy of its arguments.
struct Spent {
  uint32_t *to, left;
};
static void spend(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  struct Spent *a = (struct Spent *)(uintptr_t)g->kernarg;
  for (uint64_t i = first; i != last; ++i)
    *a->to += a->left--;
}
KERNEL(k_spend, spend, 0, 0, 0, 16);

// void wait_for(unsigned *flag): ends once *flag is not 0
static void wait_for(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  uint32_t *flag = *(uint32_t **)g->kernarg;
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    __builtin_ia32_pause();
}
KERNEL(k_wait_for, wait_for, 0, 0, 0, 8);

// void big(unsigned char bytes[1000], unsigned *out): out = sum
struct BigArgs {
  uint8_t bytes[1000];
  uint32_t *out;
};
static void big(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  const struct BigArgs *a = g->kernarg;
  uint32_t sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += a->bytes[i];
  *a->out = sum + ((uintptr_t)g->kernarg % 64 != 0);
}
KERNEL(k_big, big, 0, 0, 0, 1008);

// void memory(uint64_t *out): what the block was given
static void memory(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  uint64_t *out = *(uint64_t **)g->kernarg;
  char *shared = g->shared;
  shared[0] = 1;
  shared[g->dynamic_offset] = 1;
  if (g->dynamic_size)
    shared[g->dynamic_offset + g->dynamic_size - 1] = 1;
  char *scratch = g->scratch;
  scratch[0] = 1;
  scratch[block_threads(g) * 48 - 1] = 1;
  ((char *)g->exchange)[block_threads(g) * XCC_CPU_EXCHANGE_BYTES - 1] = 1;
  out[0] = g->dynamic_offset;
  out[1] = g->dynamic_size;
  out[2] = (uintptr_t)g->scratch % 64;
  out[3] = (uintptr_t)g->shared % 64;
}
KERNEL(k_memory, memory, 0, 100, 48, 8);

// void bad_write(): stores to an address that is not mapped
static void bad_write(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  *(volatile int *)0x40 = 1;
}
KERNEL(k_bad_write, bad_write, 0, 0, 0, 0);

// void divide(unsigned *by): divides by *by
static void divide(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  volatile uint32_t *by = *(uint32_t **)g->kernarg;
  uint32_t quotient;
  uint32_t rest = 0;
  __asm__ volatile("divl %2"
                   : "=a"(quotient), "+d"(rest)
                   : "r"(*by), "0"(7u)
                   : "cc");
}
KERNEL(k_divide, divide, 0, 0, 0, 8);

// void overflow(): recursion without end
static __attribute__((noinline)) int recurse(volatile int *n) {
  volatile int here[64];
  here[*n % 64] = *n;
  ++*n;
  return recurse(n) + here[0];
}
static void overflow(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  volatile int n = 0;
  recurse(&n);
}
KERNEL(k_overflow, overflow, 0, 0, 0, 0);

// void trap(unsigned kind): block 3 traps
static void trap(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  uint32_t kind = *(uint32_t *)g->kernarg;
  static const char *texts[] = {0, "n > 0", "St13runtime_error", 0};
  for (uint64_t b = first; b < last; ++b)
    if (b == 3) {
      g->thread->block_index[0] = 3;
      g->thread->block_index[1] = g->thread->block_index[2] = 0;
      __xcc_image.services->trap(kind, texts[kind & 3], "kernel.cpp", 42);
    }
}
KERNEL(k_trap, trap, 0, 0, 0, 4);

// void illegal(): the trap instruction
static void illegal(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  __builtin_trap();
}
KERNEL(k_illegal, illegal, 0, 0, 0, 0);

//===----------------------------------------------------------------------===//
// Fiber kernels
//===----------------------------------------------------------------------===//

static uint32_t barrier(uint32_t scope) {
  return __xcc_image.services->barrier(scope);
}

static uint64_t linear_block(const xcc_cpu_group *g, const xcc_cpu_thread *t) {
  return t->block_index[0] +
         g->grid_dim[0] *
             (t->block_index[1] + (uint64_t)g->grid_dim[1] * t->block_index[2]);
}

// void reverse(unsigned *data): reverses each block's part through shared
// memory, several times over
static void reverse(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint64_t n = block_threads(g);
  uint32_t *data = *(uint32_t **)g->kernarg + linear_block(g, t) * n;
  uint32_t *tile = g->shared;
  for (int round = 0; round < 5; ++round) {
    tile[t->linear_thread] = data[t->linear_thread];
    barrier(XCC_CPU_SCOPE_BLOCK);
    data[t->linear_thread] = tile[n - 1 - t->linear_thread];
    barrier(XCC_CPU_SCOPE_BLOCK);
  }
}
KERNEL(k_reverse, reverse, XCC_CPU_KERNEL_FIBERS, 4096, 0, 8);

// void early(unsigned *out): odd threads end at once, the others meet at two
// barriers in different branches
static void early(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint32_t *out = *(uint32_t **)g->kernarg;
  uint64_t id = linear_block(g, t) * block_threads(g) + t->linear_thread;
  if (t->linear_thread % 2)
    return;
  uint32_t mask;
  if (t->linear_thread % 4)
    mask = barrier(XCC_CPU_SCOPE_BLOCK);
  else
    mask = barrier(XCC_CPU_SCOPE_BLOCK);
  out[id] = mask;
}
KERNEL(k_early, early, XCC_CPU_KERNEL_FIBERS, 0, 0, 8);

// void meet(unsigned *out): lanes at equal positions meet, those at the least
// first; block 0 says with whom, block 1 how many of the warp went before
static void meet(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint32_t *out = *(uint32_t **)g->kernarg;
  uint32_t lane = t->linear_thread % 32;
  uint32_t *gone = (uint32_t *)g->shared + t->linear_thread / 32;
  if (lane == 0)
    *gone = 0;
  // 0; 0 1; 1: the shorter of two that begin alike is the lesser.
  t->position[0] = lane % 3 / 2;
  t->position[1] = 1;
  t->position += 1 + (lane % 3 == 1);
  uint32_t mask = barrier(XCC_CPU_SCOPE_WARP);
  uint64_t id = linear_block(g, t) * block_threads(g) + t->linear_thread;
  out[id] = t->block_index[0] ? (*gone)++ : mask;
}
KERNEL(k_meet, meet, XCC_CPU_KERNEL_FIBERS, 128, 0, 8);

// void warp(unsigned *out): thread 0 of each warp waits for the block, the
// others for the warp first
static void warp(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint32_t *out = *(uint32_t **)g->kernarg;
  uint32_t mask = 0;
  if (t->linear_thread % 32)
    mask = barrier(XCC_CPU_SCOPE_WARP);
  barrier(XCC_CPU_SCOPE_BLOCK);
  out[linear_block(g, t) * block_threads(g) + t->linear_thread] = mask;
}
KERNEL(k_warp, warp, XCC_CPU_KERNEL_FIBERS, 0, 0, 8);

// void where(unsigned *out): checks the record that current_thread gives
static void where(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint32_t *out = *(uint32_t **)g->kernarg;
  barrier(XCC_CPU_SCOPE_WARP);
  const xcc_cpu_thread *c = __xcc_image.services->current_thread();
  uint64_t id = linear_block(g, t) * block_threads(g) + t->linear_thread;
  uint32_t linear = c->thread_index[0] +
                    g->block_dim[0] * (c->thread_index[1] +
                                       g->block_dim[1] * c->thread_index[2]);
  out[id] = c == t && c->group == g && linear == c->linear_thread;
}
KERNEL(k_where, where, XCC_CPU_KERNEL_FIBERS, 0, 0, 8);

// void fiber_trap(unsigned kind): thread 5 of block 1 fails between barriers
static void fiber_trap(const xcc_cpu_group *g, xcc_cpu_thread *t) {
  uint32_t kind = *(uint32_t *)g->kernarg;
  barrier(XCC_CPU_SCOPE_BLOCK);
  if (t->block_index[0] == 1 && t->linear_thread == 5) {
    if (kind == 100)
      *(volatile int *)0x40 = 1;
    if (kind == 101) {
      volatile int n = 0;
      recurse(&n);
    }
    __xcc_image.services->trap(kind, "n > 0", "kernel.cpp", 42);
  }
  barrier(XCC_CPU_SCOPE_BLOCK);
}
KERNEL(k_fiber_trap, fiber_trap, XCC_CPU_KERNEL_FIBERS, 0, 0, 4);
