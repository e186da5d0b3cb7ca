//===-- threads.h - The threads of a random kernel, two ways
//---------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a generated program says, for xcc, and with REFERENCE for any C++
// compiler: there each thread is a fiber, and a barrier lets the others run.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using uchar = unsigned char;
using schar = signed char;
using ushort = unsigned short;
using ulong = unsigned long;

struct Shape {
  unsigned blocks, x, y;
};

#ifndef REFERENCE
#include <xcc/xcc.h>

#define SHARED(T, N, NAME) static xcc::block_shared<T[N]> NAME
inline unsigned thread_of_block() {
  return xcc::thread_idx().y * xcc::block_dim().x + xcc::thread_idx().x;
}
inline unsigned block_of_grid() { return xcc::block_idx().x; }
inline void meet() { xcc::sync_block(); }

#define LAUNCH(SHAPE, KERNEL, ...)                                             \
  xcc::launch({{(SHAPE).blocks}, {(SHAPE).x, (SHAPE).y}},                      \
              KERNEL __VA_OPT__(, ) __VA_ARGS__);                              \
  xcc::synchronize()
#define PARALLEL_FOR(N, BODY)                                                  \
  xcc::parallel_for(N, BODY);                                                  \
  xcc::synchronize()

#else
#include <ucontext.h>

#define SHARED(T, N, NAME) static T NAME[N]
inline unsigned current_thread, current_block;
inline unsigned thread_of_block() { return current_thread; }
inline unsigned block_of_grid() { return current_block; }

struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  bool ended;
};
inline std::vector<Fiber> fibers;
inline ucontext_t scheduler;
inline void (*start)(void *);
inline void *start_argument;

inline void meet() { swapcontext(&fibers[current_thread].context, &scheduler); }
inline void run_fiber() {
  start(start_argument);
  fibers[current_thread].ended = true;
}

template <class F> void run_threads(Shape shape, F body) {
  unsigned threads = shape.x * shape.y;
  start = [](void *f) { (*static_cast<F *>(f))(); };
  start_argument = &body;
  fibers.resize(threads);
  for (current_block = 0; current_block != shape.blocks; ++current_block) {
    for (Fiber &f : fibers) {
      f.stack.resize(65536);
      f.ended = false;
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack.data();
      f.context.uc_stack.ss_size = f.stack.size();
      f.context.uc_link = &scheduler;
      makecontext(&f.context, run_fiber, 0);
    }
    for (bool runs = true; runs;) {
      runs = false;
      for (current_thread = 0; current_thread != threads; ++current_thread)
        if (Fiber &f = fibers[current_thread]; !f.ended) {
          swapcontext(&scheduler, &f.context);
          runs = true;
        }
    }
  }
}

#define LAUNCH(SHAPE, KERNEL, ...)                                             \
  run_threads(SHAPE, [&] { KERNEL(__VA_ARGS__); })
#define PARALLEL_FOR(N, BODY)                                                  \
  for (std::size_t index = 0; index != (N); ++index)                           \
  BODY(index)
#endif

inline std::uint64_t sum_of(const void *data, std::size_t bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (std::size_t i = 0; i != bytes; ++i)
    sum = (sum ^ static_cast<const unsigned char *>(data)[i]) * 1099511628211u;
  return sum;
}
