// Indices that go round in few bits: threads and lanes that read a neighbour's and, at the end, the first one's again.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

using xcc::global_id, xcc::lane_id, xcc::thread_idx;

static int wrong = 0;

template <unsigned Round> void from_memory(const int *x, int *y, unsigned by) {
  const unsigned i = unsigned(global_id());
  y[i] = x[(i & ~(Round - 1)) | ((i + 3) % Round)] + 1000 * x[(i / Round) * Round + (i + by) % Round];
}
template <class Index> void in_few_bits(const int *x, int *y, unsigned by) {
  const unsigned i = unsigned(global_id());
  y[i] = x[Index(i + 250)] + 1000 * x[Index(i + by)];
}
void in_a_loop(const int *x, int *y, unsigned by) {
  const unsigned i = unsigned(global_id());
  int sum = 0;
  for (unsigned k = 0; k < 32; ++k)
    sum = sum * 3 + x[(i & ~31u) + (k + 5) % 32] + x[(k + by) & 15];
  y[i] = sum;
}
void among_lanes(const int *x, int *y, unsigned by) {
  const unsigned i = unsigned(global_id());
  y[i] = xcc::shuffle(x[i], (lane_id() + 3) % 32) + 1000 * xcc::shuffle(x[i], (lane_id() + by) % 32);
}
void of_a_block(const int *x, int *y, unsigned by) {
  static xcc::block_shared<int[64]> t;
  const unsigned i = thread_idx().x;
  t[i] = x[global_id()];
  xcc::sync_block();
  y[global_id()] = t[(i + 3) % 64] + 1000 * t[(i + by) & 63];
}

// Where an address of 32 bits may wrap too, that is looked at before the loop. It
// begins with a larger number than the index of few bits does.
void from_a_base(const int *x, int *y, unsigned base) {
  const unsigned i = thread_idx().x;
  y[(base | 64) + i] = x[(i + 3) % 32];
}
void loop_from_a_base(const int *x, int *y, unsigned base, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    y[(base | 64) + k] = x[(k + 3) % 32];
}

template <class Is> void check(const char *what, const std::vector<int> &y, Is is) {
  for (unsigned i = 0; i < y.size(); ++i)
    if (y[i] != int(is(i))) {
      std::printf("%s: %u is %d\n", what, i, y[i]);
      ++wrong;
      return;
    }
}

int main() {
  // Bytes count up to 255.
  std::vector<int> x(65536 + 64), y(256);
  for (unsigned i = 0; i < x.size(); ++i)
    x[i] = int(i * 7 + 1) % 1009;
  const xcc::buffer<int> from(x), to(y.size());
  auto round = [&](unsigned i, unsigned by, unsigned size) { return x[i / size * size + (i + by) % size]; };
  for (unsigned by : {0u, 1u, 3u, 15u, 31u, 32u, 61u, 63u, 250u}) {
    auto run = [&](auto kernel) {
      to.fill(-1);
      kernel();
      to.copy_to(y);
    };
    const xcc::launch_config shape{{4}, {64}};
    run([&] { xcc::launch(shape, from_memory<32>, from, to, by); });
    check("32", y, [&](unsigned i) { return round(i, 3, 32) + 1000 * round(i, by, 32); });
    run([&] { xcc::launch(shape, from_memory<8>, from, to, by); });
    check("8", y, [&](unsigned i) { return round(i, 3, 8) + 1000 * round(i, by, 8); });
    run([&] { xcc::launch(shape, in_few_bits<std::uint8_t>, from, to, by); });
    check("bytes", y, [&](unsigned i) { return x[std::uint8_t(i + 250)] + 1000 * x[std::uint8_t(i + by)]; });
    run([&] { xcc::launch(shape, in_few_bits<std::uint16_t>, from, to, by); });
    check("shorts", y, [&](unsigned i) { return x[std::uint16_t(i + 250)] + 1000 * x[std::uint16_t(i + by)]; });
    run([&] { xcc::launch(shape, in_a_loop, from, to, by); });
    check("loop", y, [&](unsigned i) {
      unsigned sum = 0;
      for (unsigned k = 0; k < 32; ++k)
        sum = sum * 3 + unsigned(x[(i & ~31u) + (k + 5) % 32] + x[(k + by) & 15]);
      return sum;
    });
    run([&] { xcc::launch(shape, of_a_block, from, to, by); });
    check("block", y, [&](unsigned i) { return round(i, 3, 64) + 1000 * round(i, by, 64); });
    auto after = [&](unsigned i) { return i < 64 ? -1 : x[(i - 64 + 3) % 32]; };
    run([&] { xcc::launch({{1}, {192}}, from_a_base, from, to, 0u); });
    check("base", y, after);
    run([&] { xcc::launch({{1}, {1}}, loop_from_a_base, from, to, 0u, 192u); });
    check("loop from a base", y, after);
    if (xcc::device::current().warp_size() == 32) {
      run([&] { xcc::launch(shape, among_lanes, from, to, by); });
      check("lanes", y, [&](unsigned i) { return round(i, 3, 32) + 1000 * round(i, by, 32); });
    }
  }
  std::printf("%d wrong\n", wrong); // CHECK: {{^}}0 wrong
}
