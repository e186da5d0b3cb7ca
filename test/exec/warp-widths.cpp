// Lanes and warps that are not together do operations on values of other sizes.
//
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

struct large {
  unsigned a;
  std::uint64_t b, c;
};

// While some lanes shuffle words of 8 bytes, others wait at a ballot.
static void lanes(unsigned *out) {
  const unsigned t = xcc::thread_idx().x;
  unsigned sum = 0;
  if (t % 4)
    sum = xcc::shuffle(large{t, t, t}, t).a;
  const bool all = std::popcount(xcc::ballot(true)) == int(xcc::warp_size());
  out[t] = sum == (t % 4 ? t : 0) && all;
}

// Each warp has its own way, and its own size of operand.
static void warps(unsigned *out) {
  const unsigned t = xcc::thread_idx().x, lane = xcc::lane_id();
  const unsigned warp = t / xcc::warp_size();
  bool good = true;
  for (unsigned turn = 0; turn != 8; ++turn)
    if (warp % 2 == 0)
      good &= xcc::shuffle(std::uint64_t(t) << 32 | turn, lane ^ 1) ==
              (std::uint64_t(t ^ 1) << 32 | turn);
    else if (warp / 2 == 0)
      good &= xcc::shuffle(t, lane ^ 1) == (t ^ 1);
    else
      good &= xcc::ballot(t & 1) == 0xaaaaaaaaaaaaaaaa >> (64 - xcc::warp_size());
  out[t] = good;
}

template <class K> static void run(const char *name, K kernel) {
  xcc::buffer<unsigned> out(128);
  xcc::launch({{1}, {128}}, kernel, out.data());
  std::vector<unsigned> host(128);
  out.copy_to(host.data(), 128);
  unsigned good = 0;
  for (unsigned x : host)
    good += x;
  std::printf("%s %u\n", name, good);
}

int main() {
  run("lanes", [](unsigned *o) { lanes(o); });
  run("warps", [](unsigned *o) { warps(o); });
}
// CHECK: lanes 128
// CHECK: warps 128
