// A vector load under a mask is fast only if there is memory where lanes are off: on the CPU
// device, pages before block-shared memory and after it are present.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <sys/mman.h>
#include <vector>
#include <xcc/xcc.h>

constexpr unsigned n = 1024;

// An inclusive sum: lanes that are off reach n / 2 numbers in front of the array, or behind it.
static void sums(int *out, std::uintptr_t *place) {
  static xcc::block_shared<int[n]> before, after;
  const unsigned x = xcc::thread_idx().x;
  before[x] = after[x] = int(x);
  xcc::sync_block();
  for (unsigned d = 1; d < n; d *= 2) {
    const int low = x >= d ? before[x - d] : 0, high = x + d < n ? after[x + d] : 0;
    xcc::sync_block();
    before[x] += low;
    after[x] += high;
    xcc::sync_block();
  }
  out[x] = before[x] + after[x];
  if (x == 0)
    *place = std::min(std::uintptr_t(before.data()), std::uintptr_t(after.data()));
}

static bool present(std::uintptr_t address) {
  unsigned char is = 0;
  return mincore(reinterpret_cast<void *>(address & -std::uintptr_t(4096)), 1, &is) == 0 && (is & 1) != 0;
}

int main() {
  xcc::buffer<int> out(n);
  xcc::buffer<std::uintptr_t> place(1);
  xcc::launch({{1}, {n}}, sums, out.data(), place.data());
  xcc::synchronize();
  const auto got = out.to<std::vector>();
  const std::uintptr_t first = place.to<std::vector>()[0];
  for (unsigned x = 0; x < n; ++x)
    if (got[x] != int(n * (n - 1) / 2 + x))
      std::printf("wrong: %u\n", x);
  if (xcc::device::current().kind() == std::string_view("host") &&
      !(present(first - 4096) && present(first + 2 * n * sizeof(int))))
    std::puts("wrong: no memory beside the block's");
  // CHECK-NOT: wrong
  // CHECK: done
  std::puts("done");
}
