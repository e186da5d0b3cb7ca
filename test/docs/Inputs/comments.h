// What the examples in the comments of the public headers speak of
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <xcc/algorithm.h>
#include <xcc/fast.h>
#include <xcc/half.h>
#include <xcc/jit.h>
#include <xcc/pitched.h>
#include <xcc/random.h>
#include <xcc/shared_copy.h>
#include <xcc/source.h>
#include <xcc/warp.h>
#include <xcc/xcc.h>

extern std::size_t n, i, width, height;
extern unsigned t, blocks, threads, parts;
extern int warp;
extern float a;
template <class... Type> void use(const Type &...);
inline void scale(std::size_t, float *) {}
inline void saxpy(int, float, const float *, float *) {}
inline void advance(const float *, float *) {}
inline void steps(float *, float *) {}

struct Tree {
  int *nodes;
  std::size_t count;
};

namespace of_algorithm {
struct particle {
  float x, v;
};
struct item {
  int color;
};
extern xcc::stream stream;
extern xcc::buffer<particle> particles;
extern xcc::buffer<item> items;
extern xcc::buffer<float> x, y, distances;
extern xcc::buffer<int> indices, counts, offsets;
extern xcc::buffer<unsigned char> bytes;
} // namespace of_algorithm

namespace of_device {
extern float *x, *y, *sums, *part, *tile, *a, *b;
extern float sum, limit;
extern int left;
extern std::uint64_t *ticks;
int next(int);
void work(float *);
void step(float *from, float *to);
inline void kernel(float *, float *) {}
} // namespace of_device

namespace of_fast {
extern float *x, *y, r2, sine, cosine;
} // namespace of_fast

namespace of_host {
extern xcc::device device;
extern std::size_t limit;
extern xcc::buffer<float> x, in, out, sums, on_device;
extern std::vector<float> samples;
extern float *on_host, *host, *a, *b;
extern xcc::stream s, one, other;
extern xcc::event begun, done, copied;
extern xcc::graph step;
extern std::atomic<int> parts_done;
void do_something_else();
} // namespace of_host

namespace of_host_call {
extern const char *s;
bool record(int step, std::string_view text);
} // namespace of_host_call

namespace of_jit {
extern xcc::jit::options how;
extern float *x, *y;
} // namespace of_jit

namespace of_launch {
extern xcc::buffer<float> x, y;
extern float *a, *b;
extern int degree;
extern xcc::stream s;
inline void kernel(std::size_t, float *) {}
inline void polynomial(int, float *) {}
inline void tiles(float *, float *) {}
} // namespace of_launch

namespace of_memory {
extern xcc::buffer<float> x, sums, samples, on_device;
extern std::vector<float> vector;
extern float *on_host;
extern xcc::stream s;
extern xcc::launch_config shape;
inline void kernel(float *, std::size_t) {}
} // namespace of_memory

namespace of_parallel_for {
extern xcc::stream stream;
extern float *x, *y;
extern xcc::pitched_span<float> image;
inline constexpr auto body = [](std::size_t) {};
} // namespace of_parallel_for

namespace of_pitched {
extern std::vector<float> pixels;
extern xcc::pitched_buffer<float> image;
extern xcc::pitched_span<float> volume;
extern xcc::pitched_span<const float> tile;
extern std::size_t x, y, z;
} // namespace of_pitched

namespace of_random {
extern xcc::philox4x32 engine;
extern std::uint64_t seed;
extern float *y;
} // namespace of_random

namespace of_shared_copy {
extern const float *data;
extern float *tile;
} // namespace of_shared_copy

namespace of_scope {
extern float a;
extern std::vector<float> table, sums;
} // namespace of_scope

namespace of_source {
extern float *x;
extern int count;
extern std::string text;
extern xcc::jit::source source;
} // namespace of_source

namespace of_visit_members {
struct Plain {
  int here;
};
} // namespace of_visit_members

namespace of_symbol {
extern int hits, here;
extern xcc::stream stream;
inline void count_in(int *in) { ++*in; }
} // namespace of_symbol

namespace of_shared_global {
extern float *x;
static xcc::shared_global<int> found(-1);
} // namespace of_shared_global

namespace of_warp {
extern int *bin, *weight, *x, *histogram;
} // namespace of_warp

namespace of_xcc {
extern xcc::buffer<float> x, y;
} // namespace of_xcc
