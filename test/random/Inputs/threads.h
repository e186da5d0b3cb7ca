// The threads of a random kernel, two ways
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a generated program says, for xcc, and with REFERENCE for any C++
// compiler: there each thread is a fiber (fibers.h).
//
// Warp operations are macros, one to a line of the source: the reference knows
// by lines, and by the turns of loops, which lanes docs/language-warps.md calls
// together. LOOP stands before a loop, TURN first in its body, CALL before a
// statement that calls a function with such operations, and an operation in the
// condition at the head of a loop is wrapped in AGAIN.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

using uchar = unsigned char;
using schar = signed char;
using ushort = unsigned short;
using ulong = unsigned long;

struct Shape {
  unsigned blocks, x, y = 1, z = 1;
  unsigned blocks_y = 1, blocks_z = 1;
  unsigned shared_bytes = 0;
};

#ifdef REFERENCE
#include "fibers.h"
#else
#include <xcc/xcc.h>

#define SHARED(T, N, NAME) static xcc::block_shared<T[N]> NAME
#define DYNAMIC(T, NAME) T *const NAME = xcc::dynamic_shared<T>()
inline unsigned thread_of_block() {
  const xcc::dim3 i = xcc::thread_idx(), n = xcc::block_dim();
  return (i.z * n.y + i.y) * n.x + i.x;
}
inline unsigned block_of_grid() {
  const xcc::dim3 i = xcc::block_idx(), n = xcc::grid_dim();
  return (i.z * n.y + i.y) * n.x + i.x;
}
inline unsigned lane_of_warp() { return xcc::lane_id(); }
inline unsigned lanes_of_warp() { return xcc::warp_size(); }
#define meet() xcc::sync_block()

#define LOOP
#define TURN
#define CALL
#define AGAIN(OPERATION) OPERATION
#define BALLOT(P) xcc::ballot(P)
#define ANY(P) xcc::any(P)
#define ALL(P) xcc::all(P)
#define SHUFFLE(V, LANE) xcc::shuffle(V, LANE)
#define SHUFFLE_UP(V, BY) xcc::shuffle_up(V, BY)
#define SHUFFLE_DOWN(V, BY) xcc::shuffle_down(V, BY)
#define SHUFFLE_XOR(V, BY) xcc::shuffle_xor(V, BY)
#define SYNC_WARP() xcc::sync_warp()

#define LAUNCH(SHAPE, KERNEL, ...)                                             \
  xcc::launch({{(SHAPE).blocks, (SHAPE).blocks_y, (SHAPE).blocks_z},           \
               {(SHAPE).x, (SHAPE).y, (SHAPE).z},                              \
               (SHAPE).shared_bytes},                                          \
              KERNEL __VA_OPT__(, ) __VA_ARGS__);                              \
  xcc::synchronize()
#define PARALLEL_FOR(N, BODY)                                                  \
  xcc::parallel_for(N, BODY);                                                  \
  xcc::synchronize()

/// Memory of the device, and what the host sees of it.
template <class T> struct Memory {
  std::vector<T> host;
  xcc::buffer<T> device;
  explicit Memory(std::size_t n) : host(n), device(n) {}
  T *data() { return device.data(); }
  void send() { device.copy_from(host.data(), host.size()); }
  void fetch() { device.copy_to(host.data(), host.size()); }
};
#endif

/// The n-th of the lanes of a ballot, counted round and round.
inline unsigned nth_lane(std::uint64_t lanes, unsigned n) {
  for (n %= unsigned(std::popcount(lanes)); n; --n)
    lanes &= lanes - 1;
  return unsigned(std::countr_zero(lanes));
}
/// Whether a shuffle from `lane` gives what the documentation says: that of a
/// lane of the ballot, or one's own where the warp has no such lane.
inline bool has_value(std::uint64_t lanes, unsigned lane) {
  return lane >= lanes_of_warp() || (lanes >> lane & 1);
}

inline std::uint64_t sum_of(const void *data, std::size_t bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (std::size_t i = 0; i != bytes; ++i)
    sum = (sum ^ static_cast<const unsigned char *>(data)[i]) * 1099511628211u;
  return sum;
}

/// A part of a program, and what it is called.
struct Part {
  std::uint64_t (*run)();
  const char *name;
};
/// Runs the parts from the one that the first argument names by number.
template <std::size_t N>
int run_parts(const Part (&parts)[N], int count, char **words) {
  for (std::size_t i = count > 1 ? std::strtoul(words[1], nullptr, 10) : 0;
       i < N; ++i)
    try {
      std::printf("%s %016lx\n", parts[i].name, (unsigned long)parts[i].run());
      std::fflush(stdout);
    } catch (const std::exception &e) {
      std::printf("%s ended: %.200s\n", parts[i].name, e.what());
      return 1;
    }
  return 0;
}
