// setjmp and longjmp within a thread, on the CPU device: out of functions, out of
// loops, many times, in kernels with barriers.
// RUN: %xcc -O0 %s -o %t0 && %t0 | FileCheck %s
// RUN: %xcc -O2 %s -o %t2 && %t2 | FileCheck %s
#include "Inputs/same.h"
#include <csetjmp>

struct Tries {
  std::jmp_buf place;
  int left, sum;
};
[[gnu::noinline]] static void deep(Tries &tries, int level) {
  if (level == 0) {
    tries.sum += tries.left;
    std::longjmp(tries.place, tries.left);
  }
  deep(tries, level - 1);
  tries.sum += 1000; // never
}
static int again(int n) {
  Tries tries = {};
  tries.left = n;
  int got = setjmp(tries.place);
  if (got == 0 || --tries.left > 0)
    deep(tries, tries.left % 5);
  return tries.sum;
}

static void barriers(int *out) {
  static xcc::block_shared<int[64]> values;
  unsigned i = xcc::thread_idx().x;
  std::jmp_buf place;
  volatile int turns = 0;
  values[i] = again(int(i) % 7 + 1);
  if (setjmp(place) < 3) {
    turns = turns + 1;
    xcc::sync_block();
    int next = values[(i + 1) % 64];
    xcc::sync_block();
    values[i] = values[i] + next;
    if (turns < 4)
      std::longjmp(place, turns);
  }
  out[i] = values[i] * 10 + turns;
}

int main() {
  same("out of functions", 100, [](std::size_t i) { return again(int(i) + 1); });
  xcc::buffer<int> out(64);
  xcc::launch({{1}, {64}}, barriers, out.data());
  int got[64], values[64], next[64];
  out.copy_to(got, 64);
  for (int i = 0; i < 64; ++i)
    values[i] = again(i % 7 + 1);
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 64; ++i)
      next[i] = values[i] + values[(i + 1) % 64];
    std::copy(next, next + 64, values);
  }
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += got[i] != values[i] * 10 + 3;
  std::printf("%d wrong, %d %d\n", wrong, got[0], values[0]);
}
// CHECK: out of functions: same
// CHECK: 0 wrong
