// Registers of the host's are an error where a kernel for a GPU uses them, and
// nowhere else.
// RUN: %xcc -c -std=gnu++17 -offload-arch=host %s -o %t.o
// RUN: %not %xcc -c -std=gnu++17 -offload-arch=gfx1100 %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -std=gnu++17 -foffload-no-cubin -offload-arch=sm_90 %s -o %t.o 2>&1 | FileCheck %s
// CHECK-NOT: unknown register
#include <xcc/xcc.h>

static long unreached() {
  register long stack asm("rsp");
  return stack;
}
static long call(long number) {
  register long result asm("rax") = number;
  asm volatile("syscall" : "+r"(result)::"rcx", "r11", "memory");
  return result;
}
// CHECK: host-registers.cpp:[[# @LINE - 3]]:{{.*}}error: inline assembly of the host cannot run on this device
// CHECK: note: 'call' is called by 'kernel' here
void kernel(long *p) { *p = call(39); }
long start(long *p) {
  xcc::launch({{1}, {1}}, kernel, p);
  return unreached();
}
// CHECK-NOT: unknown register
