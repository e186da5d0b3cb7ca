// Launches that cannot be made say so at the call, and name what to change.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: env XCC_DEVICE=cuda:0 %t 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: XCC_DEVICE=cuda:0
#include "Inputs/same.h"

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
}
