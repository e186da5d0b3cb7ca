// Lanes that take different branches do not take part in each other's warp
// operations; after the branches all do.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

void divergent(int *wrong) {
  const unsigned t = xcc::thread_idx().x, lane = t % 32;
  std::uint64_t mine;
  if (lane < 10)
    mine = xcc::ballot(true);
  else
    mine = xcc::ballot(lane % 2);
  const bool here = mine == (lane < 10 ? 0x3ffu : 0xaaaaa800u);
  wrong[t] = !here || xcc::ballot(true) != 0xffffffffu;
}

// A loop that lanes leave one after the other.
void loop(int *wrong) {
  const unsigned t = xcc::thread_idx().x, lane = t % 32;
  int bad = 0;
  for (unsigned i = 0; i <= lane; ++i)
    bad += xcc::ballot(true) != (0xffffffffu << i & 0xffffffffu);
  wrong[t] = bad || xcc::ballot(true) != 0xffffffffu;
}

int main() {
  xcc::buffer<int> wrong(64);
  int host[64];
#define TEST(kernel)                                                           \
  wrong.fill(1);                                                               \
  xcc::launch({{1}, {64}}, kernel, wrong.data());                              \
  wrong.copy_to(host, 64);                                                     \
  for (int t = 0; t < 64; ++t)                                                 \
    if (host[t])                                                               \
      return std::printf(#kernel ": thread %d\n", t), 1;
  TEST(divergent)
  TEST(loop)
  std::puts("lanes part and meet"); // CHECK: lanes part and meet
}
