// What no GPU has, and what to write instead.
// RUN: not %xcc --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s
// RUN: not %xcc --offload-arch=gfx1100 %s -o %t 2>&1 | FileCheck %s
// The CPU device has all of it.
// RUN: %xcc %s -o %t && %t
// CHECK-DAG: device code uses 'environ', which nothing in this link defines
// CHECK-DAG: note: the environment is the host's: a kernel asks for one variable with std::getenv
// CHECK-DAG: device code uses 'fegetround'
// CHECK-DAG: note: this device has no floating-point environment (<cfenv>): it rounds to nearest
// CHECK-DAG: device code uses 'mmap'
// CHECK-DAG: note: this device maps no memory and no files: a kernel gets memory with malloc or new
#include <xcc/xcc.h>
#include <cfenv>
#include <sys/mman.h>
#include <unistd.h>

int main() {
  long number = 0, *out = &number;
  xcc::launch({{1}, {1}}, [=] {
    *out = environ != nullptr;
    *out += std::fegetround() == FE_TONEAREST;
    *out += mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0) != MAP_FAILED;
  });
  xcc::synchronize();
  return number == 3 ? 0 : 1;
}
