// The host and the device pass compute a kernel's layout independently; if a
// header makes them differ, the error names the first differing field.
// RUN: not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
#include <xcc/xcc.h>

#ifdef __XCC_DEVICE_PASS__
using Number = int;
#else
using Number = long;
#endif
struct Options { Number n; };
void kernel(int *p, Options options) {}
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p, Options{}); }
// CHECK: error: kernel 'kernel' ({{.*}}layout-mismatch.cpp:13) differs between host and device: parameter 'options' (Options) has size 8 on the host and 4 on the device
