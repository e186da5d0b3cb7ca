// -g gives optimised kernels source lines, which is what ptxas takes, and -O0
// all of it; without -g there is none.
// RUN: %ptx -offload-arch=sm_90 -g %s | FileCheck --check-prefixes=CHECK,LINES %s
// RUN: %xcc -O0 -g -S -foffload-device-only -offload-arch=sm_90 -o - %s | FileCheck --check-prefixes=CHECK,FULL %s
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefix=NONE %s
// RUN: %ptx -offload-arch=sm_90 -g -g0 %s | FileCheck --check-prefix=NONE %s
#include <xcc/xcc.h>

// LINES: .target sm_90
// LINES-NOT: debug
// FULL: .target sm_90, debug
// CHECK: .entry {{.*}}6kernel{{.*}}({{$}}
// CHECK: .loc {{[0-9]+}} [[#@LINE+1]]
void kernel(int *p) { *p += 3; }
// CHECK: .file {{[0-9]+}} "{{.*}}debug.cpp"
// FULL: .section .debug_info
// LINES-NOT: .section .debug_info
// NONE-NOT: .loc
// NONE-NOT: .file
// NONE-NOT: debug
void start(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
