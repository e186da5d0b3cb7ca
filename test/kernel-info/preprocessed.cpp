// Preprocessed text is one pass's; compiling it for two would miscompile.
// RUN: %xcc -E -foffload-host-only %s -o %t.ii
// RUN: not %xcc -c %t.ii -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: %xcc -c -foffload-host-only %t.ii -o %t.o
// CHECK: error: kernels in preprocessed input or behind a precompiled header cannot be compiled for a device
// CHECK: note: compile the source file itself
#include <xcc/xcc.h>
void kernel(int *p) { *p = 1; }
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
