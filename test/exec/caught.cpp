// An exception that is thrown on a device ends the launch, even where a handler
// would catch it; code with handlers that nothing throws into runs as it is.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <stdexcept>

int careful(int i, int limit) {
  try {
    if (i >= limit)
      throw std::runtime_error("too far");
    return i;
  } catch (const std::exception &) {
    return -1;
  }
}

void kernel(int *out, int limit) {
  const unsigned i = xcc::global_id();
  out[i] = careful(i, limit);
}

int main() {
  xcc::buffer<int> out(64);
  int host[64];
  for (int limit : {64, 60})
    try {
      xcc::launch({{1}, {64}}, kernel, out.data(), limit);
      out.copy_to(host, 64);
      std::printf("%d\n", host[63]);
    } catch (const xcc::error &e) {
      std::puts(e.what());
    }
}
// CHECK: 63
// CHECK: kernel 'kernel' launched at {{.*}} failed {{.*}}std::runtime_error
