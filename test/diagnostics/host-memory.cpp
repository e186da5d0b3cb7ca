// An address of host memory that a kernel would follow is right on the CPU
// device alone, and worth a warning where a GPU is asked for.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | count 0
// RUN: %xcc -std=c++20 -fsyntax-only -offload-arch=host,gfx90a %s 2>&1 \
// RUN:   | FileCheck %s
// RUN: not %xcc -std=c++20 -fsyntax-only -Werror -offload-arch=sm_90 %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
#include <xcc/xcc.h>

struct Counter {
  int total = 0;
  void count() {
    // CHECK: host-memory.cpp:[[#@LINE+2]]:26: warning: 'this' is captured, which is an address of host memory to a GPU
    // CHECK: host-memory.cpp:[[#@LINE+1]]:25: note: launched here; capture values, '*this', or the data() of an xcc::buffer
    xcc::launch({1, 1}, [this] { ++total; });
    xcc::launch({1, 1}, [*this] { (void)total; });
  }
};

void captures(int &there, const xcc::buffer<int> &buffer) {
  int here = 0;
  // CHECK: host-memory.cpp:[[#@LINE+2]]:25: warning: 'here' is captured by reference, which is an address of host memory to a GPU
  // ERROR: error: 'here' is captured by reference
  xcc::launch({1, 1}, [&here] { ++here; });
  // What a reference refers to may be anywhere.
  xcc::launch({1, 1}, [&there] { ++there; });
  int *data = buffer.data();
  xcc::launch({1, 1}, [=] { *data = here; });
  // CHECK-NOT: warning:
}
