// Shuffles reach every lane of a warp, also in warps of 64 on GPUs that have 32 by default, in divergent code and in functions;
// calls of the host are made by all of them.
// RUN: %xcc -O0 -mwavefrontsize64 %s -o %t && %t
// RUN: %xcc -O2 -mwavefrontsize64 %s -o %t && %t
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <xcc/xcc.h>

constexpr unsigned threads = 160; // the last warp of 64 is half there

struct pair {
  double a;
  int b;
};

unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}
/// A lane of the warp that has a thread.
unsigned any_lane(unsigned t, unsigned seed, unsigned warp) {
  const unsigned first = t / warp * warp;
  return hash(t + seed) % (first + warp < threads ? warp : threads - first);
}
unsigned any_lane(unsigned seed) {
  return any_lane(xcc::thread_idx().x, seed, xcc::warp_size());
}

template <class T> [[gnu::noinline]] T called(T value, unsigned lane) {
  return xcc::shuffle(value, lane);
}

void size(unsigned *p) { *p = xcc::warp_size(); }
void words(unsigned *p, unsigned seed) {
  const unsigned t = xcc::thread_idx().x;
  p[t] = xcc::shuffle(hash(t), any_lane(seed));
}
void structs(unsigned *p, unsigned seed) {
  const unsigned t = xcc::thread_idx().x;
  const pair got = called(pair{t * 0.5, int(3 * t)}, any_lane(seed));
  p[t] = got.a * 2 == got.b / 3 ? got.b / 3 : ~0u;
}
void distances(unsigned *p, unsigned by) {
  const unsigned t = xcc::thread_idx().x;
  p[t] = xcc::shuffle_up(t, by);
  p[t + 256] = xcc::shuffle_down(t, by);
  p[t + 512] = xcc::shuffle_xor(t, by);
}
/// Two groups of a warp's lanes, each in a circle.
void apart(unsigned *p, unsigned seed) {
  const unsigned t = xcc::thread_idx().x, lane = xcc::lane_id();
  if (hash(lane + seed) & 1) {
    const std::uint64_t all = xcc::ballot(true);
    const std::uint64_t above = all & ~(~std::uint64_t(0) >> (63 - lane));
    p[t] = xcc::shuffle(t, __builtin_ctzll(above ? above : all));
  } else {
    const std::uint64_t all = xcc::ballot(true);
    const std::uint64_t below = all & ((std::uint64_t(1) << lane) - 1);
    p[t] = called(t, 63 - __builtin_clzll(below ? below : all));
  }
}

XCC_HOST int on_host(int x) { return 2 * x + 1; }
void calls(unsigned *p) {
  const unsigned t = xcc::thread_idx().x;
  if (t % 3 == 0) {
    p[t] = on_host(t);
    return;
  }
  auto *own = static_cast<unsigned *>(malloc(16 * t));
  for (unsigned i = 0; i != 4 * t; ++i)
    own[i] = t;
  p[t] = own[4 * t - 1];
  free(own);
}

int main() {
  xcc::buffer<unsigned> memory(1024);
  unsigned *p = memory.data();
  std::vector<unsigned> got(1024);
  int wrong = 0;
  auto same = [&](const char *what, unsigned t, unsigned is, unsigned should) {
    if (is != should && wrong++ < 20)
      std::printf("%s, thread %u: %u instead of %u\n", what, t, is, should);
  };
  xcc::launch({{1}, {1}}, size, p);
  memory.copy_to(got.data(), got.size());
  const unsigned warp = got[0];

  for (unsigned seed = 0; seed != 3; ++seed) {
    xcc::launch({{1}, {threads}}, words, p, seed);
    memory.copy_to(got.data(), got.size());
    for (unsigned t = 0; t != threads; ++t)
      same("word", t, got[t],
           hash(t / warp * warp + any_lane(t, seed, warp)));
    xcc::launch({{1}, {threads}}, structs, p, seed);
    memory.copy_to(got.data(), got.size());
    for (unsigned t = 0; t != threads; ++t)
      same("struct", t, got[t], t / warp * warp + any_lane(t, seed, warp));
    xcc::launch({{1}, {threads}}, apart, p, seed);
    memory.copy_to(got.data(), got.size());
    for (unsigned t = 0; t != threads; ++t) {
      const unsigned first = t / warp * warp;
      const unsigned lanes = std::min(warp, threads - first);
      const bool up = hash(t - first + seed) & 1;
      unsigned lane = t - first;
      do
        lane = (lane + (up ? 1 : lanes - 1)) % lanes;
      while ((hash(lane + seed) & 1) != up);
      same("apart", t, got[t], first + lane);
    }
  }
  for (unsigned by : {1u, 5u, 31u, 32u, 33u, 63u}) {
    xcc::launch({{1}, {128}}, distances, p, by);
    memory.copy_to(got.data(), got.size());
    for (unsigned t = 0; t != 128; ++t) {
      const unsigned lane = t % warp;
      same("up", t, got[t], lane >= by ? t - by : t);
      same("down", t, got[t + 256], lane + by < warp ? t + by : t);
      same("xor", t, got[t + 512], (lane ^ by) < warp ? t ^ by : t);
    }
  }
  xcc::launch({{1}, {threads}}, calls, p);
  memory.copy_to(got.data(), got.size());
  for (unsigned t = 0; t != threads; ++t)
    same("call", t, got[t], t % 3 ? t : 2 * t + 1);
  return wrong != 0;
}
