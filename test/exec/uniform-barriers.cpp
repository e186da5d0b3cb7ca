// Barriers in loops and branches about which all threads of a block agree: by the
// size of the block and the grid, the block's index, what is computed of them,
// what functions return, what lies in memory; and a loop about which they do not.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <algorithm>

constexpr unsigned Most = 256;

static unsigned thread() {
  const auto t = xcc::thread_idx(), d = xcc::block_dim();
  return t.x + d.x * (t.y + d.y * t.z);
}
static unsigned threads() {
  const auto d = xcc::block_dim();
  return d.x * d.y * d.z;
}

/// The textbook's tree, in blocks of any shape.
void tree(int *out) {
  static xcc::block_shared<int[Most]> part;
  const unsigned t = thread();
  part[t] = int(t) + 1;
  xcc::sync_block();
  for (unsigned half = threads() / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    xcc::sync_block();
  }
  if (t == 0)
    *out = part[0];
}

/// A function whose result the block shares, and one whose result it does not.
[[gnu::noinline]] unsigned steps(unsigned most) {
  return std::min(most, xcc::block_dim().x / 16);
}
[[gnu::noinline]] unsigned own(unsigned most) {
  return std::min(most, xcc::thread_idx().x % 3);
}
template <unsigned (*Rounds)(unsigned)> void rounds(int *out) {
  static xcc::block_shared<int[Most]> a;
  const unsigned t = thread();
  a[t] = 0;
  xcc::sync_block();
  const unsigned rounds = Rounds(4);
  for (unsigned i = 0; i < rounds; ++i) {
    const int beside = a[t ^ 1];
    xcc::sync_block();
    a[t] += beside + 1;
    xcc::sync_block();
  }
  out[t] = int(rounds);
}

struct Work {
  unsigned begin, end;
};
/// Bounds in a closure, in memory and in shared memory.
void bounds(const Work *work, Work given, int *out) {
  static xcc::block_shared<unsigned> last;
  const unsigned t = thread(), block = xcc::block_idx().x;
  if (t == 0)
    last = work[block].end;
  xcc::sync_block();
  int sum = 0;
  for (unsigned i = work[block].begin; i < last; ++i) {
    sum += int(i);
    xcc::sync_block();
  }
  for (unsigned i = given.begin; i < std::max(given.end, xcc::grid_dim().x);
       ++i) {
    sum += int(i);
    xcc::sync_block();
  }
  if (t == threads() - 1)
    out[block] = sum;
}

int main() {
  xcc::buffer<int> out(Most);
  int host[Most];
  auto run = [&](const char *what, auto expected, unsigned n) {
    out.copy_to(host, n);
    for (unsigned t = 0; t < n; ++t)
      check(host[t] == int(expected(t)), what);
  };
  for (xcc::dim3 shape : {xcc::dim3{64}, xcc::dim3{8, 16}, xcc::dim3{4, 4, 4},
                          xcc::dim3{256}, xcc::dim3{2}}) {
    xcc::launch({{1}, shape}, tree, out.data());
    const unsigned n = shape.x * shape.y * shape.z;
    run("tree", [=](unsigned) { return n * (n + 1) / 2; }, 1);
  }
  xcc::launch({{1}, {48}}, rounds<steps>, out.data());
  run("rounds of the block", [](unsigned) { return 3; }, 48);
  xcc::launch({{1}, {48}}, rounds<own>, out.data());
  run("rounds of each", [](unsigned t) { return t % 3; }, 48);

  const Work list[] = {{1, 4}, {5, 5}, {0, 6}};
  xcc::buffer<Work> work(3);
  work.copy_from(list, 3);
  xcc::launch({{3}, {40}}, bounds, work.data(), Work{1, 2}, out.data());
  run("bounds",
      [&](unsigned b) {
        int sum = 1 + 2;
        for (unsigned i = list[b].begin; i < list[b].end; ++i)
          sum += int(i);
        return sum;
      },
      3);
  std::puts("all met"); // CHECK: all met
}
