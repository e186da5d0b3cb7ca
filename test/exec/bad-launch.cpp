// Launches that cannot be made say so at the call, and name what to change.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: env XCC_DEVICE=cuda:0 %t 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: XCC_DEVICE=cuda:0
#include "Inputs/same.h"

#include <cstdlib>

void kernel(int *) {}

void expect(xcc::launch_config config) {
  try {
    xcc::launch(config, kernel, nullptr);
    std::puts("no error");
  } catch (const xcc::error &e) {
    std::printf("%s: %s\n", xcc_status_name(e.status()), e.what());
  }
}

int main() {
  expect({{0}, {1}});
  // CHECK: XCC_ERROR_INVALID_LAUNCH: {{.*}}'kernel'{{.*}}grid
  expect({{1}, {0}});
  // CHECK: XCC_ERROR_INVALID_LAUNCH: {{.*}}'kernel'{{.*}}block
  expect({{1}, {1025}});
  // CHECK: XCC_ERROR_INVALID_LAUNCH: {{.*}}1025{{.*}}1024
  expect({{1}, {64, 64}});
  // CHECK: XCC_ERROR_INVALID_LAUNCH: {{.*}}1024
  expect({{1}, {1}, 1 << 30});
  // CHECK: XCC_ERROR_INVALID_LAUNCH: {{.*}}shared
  expect({{1}, {1}});
  // CHECK: no error
  try {
    xcc::buffer<double> huge(std::size_t(1) << 60);
  } catch (const xcc::error &e) {
    std::printf("%s\n", xcc_status_name(e.status()));
    // CHECK: XCC_ERROR_OUT_OF_MEMORY
  }
  // A count that was negative before it became a size_t, as often as it is written.
  int none = std::getenv("XCC_NONE") ? 1 : -1;
  std::size_t wraps = std::size_t(none + 1);
  auto loop = [](auto &&run) {
    try {
      run();
      std::puts("no error");
    } catch (const xcc::error &e) {
      std::printf("%s: %s\n", xcc_status_name(e.status()), e.what());
    }
  };
  // CHECK: XCC_ERROR_INVALID_LAUNCH: a loop over -1 indices: {{.*}} (launched at {{.*}}bad-launch.cpp:[[#@LINE+1]])
  loop([&] { xcc::parallel_for(none, [](int) {}); });
  // CHECK: XCC_ERROR_INVALID_LAUNCH: a loop over -2 indices: {{.*}}bad-launch.cpp:[[#@LINE+1]])
  loop([&] { xcc::parallel_for({nullptr, {8}}, wraps - 2, [](int) {}); });
  // CHECK: XCC_ERROR_INVALID_LAUNCH: a loop over -1 indices: {{.*}}bad-launch.cpp:[[#@LINE+1]])
  loop([&] { xcc::parallel_for({0, none}, [](int, int) {}); });
  // An index that the body's parameter does not hold.
  // CHECK: XCC_ERROR_INVALID_VALUE: a loop whose body takes an index of 32 bits (it can be a std::size_t): 2147483649 {{.*}}bad-launch.cpp:[[#@LINE+1]])
  loop([&] { xcc::parallel_for((wraps + 1 << 31) + 1, [](int) {}); });
  // CHECK: XCC_ERROR_INVALID_VALUE: a loop whose body {{.*}}: 4294967297 {{.*}}bad-launch.cpp:[[#@LINE+1]])
  loop([&] { xcc::parallel_for((wraps + 1 << 32) + 1, [](const unsigned &) {}); });
  // CHECK: no error
  loop([&] { xcc::parallel_for({none + 1, 4}, [](int, int) {}); });
  // CHECK: XCC_ERROR_INVALID_VALUE: -1 objects: a negative count
  loop([&] { xcc::buffer<int>(4).part(0, none); });
}
