// Registered memory that is unmapped without having been unregistered is told of, once:
// at the next registration, or at the end.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s --implicit-check-not=freed
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#include <xcc/xcc.h>

static void *mapped(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void registered(void *memory, std::size_t bytes) {
  if (xcc_memory_register(memory, bytes) != XCC_SUCCESS)
    std::fprintf(stderr, "%s\n", xcc::error().what());
}

int main() {
  dup2(1, 2); // what is told is checked
  const std::size_t bytes = 1 << 20;
  void *gone = mapped(bytes), *later = mapped(bytes);
  registered(gone, bytes);
  munmap(gone, bytes);
  {
    std::vector<int> there(1000);
    // CHECK: xcc: warning: 1048576 bytes from {{.*}} were registered with xcc_memory_register, and freed without xcc_memory_unregister
    xcc::host_registration locked(there);
  }
  registered(later, bytes);
  munmap(later, bytes);
  // CHECK-NEXT: xcc: warning: 1048576 bytes from {{.*}} were registered with xcc_memory_register, and freed without
}
