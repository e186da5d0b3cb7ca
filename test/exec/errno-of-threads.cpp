// errno is each thread's own: one that fails says nothing to others, which read
// numbers at the same time.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cerrno>
#include <cstdlib>
#include <string>

int main() {
  same("errno", 256, [](std::size_t i) {
    errno = 0;
    double sum = 0;
    for (int round = 0; round < 4; ++round)
      sum +=
          i % 3 ? std::strtod("1e5", nullptr) : std::strtod("1e999", nullptr);
    return sum + 1000000 * errno;
  });
  // std::stod takes errno's word for whether to throw.
  same("stod", 256, [](std::size_t i) {
    if (i % 2)
      return std::strtod("1e999", nullptr);
    return std::stod("2.5") * double(i);
  });
  // CHECK: errno: same
  // CHECK: stod: same

  // Also behind barriers; and it begins with 0, whatever the host's is.
  xcc::buffer<int> out(256);
  int wrong = 0, values[256];
  errno = 77;
  xcc::launch({{2}, {128}}, [p = out.data()] {
    int i = xcc::thread_idx().x, begins = errno;
    errno = i;
    xcc::sync_block();
    int own = errno;
    if (i % 2)
      errno = 1000 + i;
    xcc::sync_warp();
    p[xcc::global_id()] =
        begins == 0 && own == i && errno == (i % 2 ? 1000 + i : i);
  });
  xcc::synchronize();
  wrong += errno != 77;
  out.copy_to(values, 256);
  for (int each : values)
    wrong += !each;
  std::printf("%d wrong\n", wrong); // CHECK-NEXT: 0 wrong
}
