// How a call of the host can end otherwise: an exception ends the launch, exit
// the program, and nothing may wait for the kernel that waits. A function that
// fails is named.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: %t throw | FileCheck %s --check-prefix=THROW
// RUN: not %t exit | FileCheck %s --check-prefix=EXIT
// RUN: not %t host-exit | FileCheck %s --check-prefix=EXIT
// RUN: %t waits | FileCheck %s --check-prefix=WAITS
// RUN: not --crash %t address 2>&1 | FileCheck %s --check-prefix=ADDRESS
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <xcc/xcc.h>

static void fails(int thread) {
  if (thread == 3)
    throw std::runtime_error("no third");
}
static void leave(int status) { std::exit(status); }
// The host has no memory there, and a GPU may.
static int fetch(const int *from) { return *from; }
static void waits() {
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
}

// Destroyed by exit, while the kernel still waits.
static xcc::buffer<int> kept;

int main(int, char **argv) {
  const std::string_view what = argv[1];
  std::atexit([] { std::puts("at exit"); });
  try {
    kept = xcc::buffer<int>(4);
    if (what == "throw")
      xcc::launch({2, 8}, [] {
        xcc::host_call(fails, int(xcc::thread_idx().x));
      });
    else if (what == "exit")
      xcc::launch({1, 1}, [] { exit(3); });
    else if (what == "host-exit")
      xcc::launch({1, 1}, [] { xcc::host_call(leave, 3); });
    else if (what == "address")
      xcc::launch({1, 1}, [] {
        xcc::host_call(fetch, reinterpret_cast<const int *>(4096));
      });
    else
      xcc::launch({1, 1}, [] { xcc::host_call(waits); });
    xcc::synchronize();
    std::puts("went on");
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
}
// THROW: launched at {{.*}}ends.cpp:{{.*}} the host function 'fails' threw: no third
// EXIT-NOT: went on
// EXIT: at exit
// WAITS: xcc_device_synchronize was called in a host function that device code called
// WAITS: went on
// ADDRESS: xcc: the host function 'fetch', which device code called, used address 0x1000, where the host has no memory
// ADDRESS-NOT: went on
