// -g puts DWARF into code objects, for kernels of every level.
// RUN: %object -offload-arch=gfx90a -g %s -o %t.co && llvm-dwarfdump --debug-info --debug-line %t.co | FileCheck %s
// RUN: %xcc -O0 -g -c -foffload-device-only -offload-arch=gfx90a %s -o %t.co && llvm-dwarfdump --debug-info --debug-line %t.co | FileCheck %s
// RUN: %object -offload-arch=gfx90a %s -o %t.co && llvm-readelf -SW %t.co | FileCheck --check-prefix=NONE %s
// RUN: %amdgcn -offload-arch=gfx90a -gline-tables-only %s | FileCheck --check-prefix=LINES %s
#include <xcc/xcc.h>
// CHECK-DAG: DW_AT_name ("kernel")
// CHECK-DAG: name: "{{.*}}debug.cpp"
// NONE-NOT: debug
// LINES: .loc {{[0-9]+}} [[#@LINE+1]]
void kernel(int *p) { *p += 3; }
void start(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
