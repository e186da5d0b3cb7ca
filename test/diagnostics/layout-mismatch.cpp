// The host and the device pass compute a kernel's layout independently; if a
// header makes them differ, the error names the first differing field.
// RUN: not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// So are the layouts of classes of which kernels are given the host's objects.
// RUN: not %xcc -c -DBEHIND %s -o %t.o 2>&1 | FileCheck --check-prefix=BEHIND %s
// RUN: %xcc -c -DLONG_DOUBLE %s -o %t.o
// RUN: not %xcc -c -DLONG_DOUBLE --offload-arch=sm_90,gfx1100 %s -o %t.o 2>&1 | FileCheck --check-prefix=LONG %s
#include <xcc/xcc.h>

#ifdef __XCC_DEVICE_PASS__
using Number = int;
#else
using Number = long;
#endif
#if defined(BEHIND)
struct Options { char c; Number n; };
// What only one side has is nobody else's.
struct Unused { Number n; };
struct Holder { Options *options; };
Unused unused;
// BEHIND: layout-mismatch.cpp:[[#@LINE-5]]:8: error: 'Options' has another layout on a device than on the host, and kernels are given the host's objects: 'n' is at offset 8 on the host and at 4 on the device
// BEHIND-NOT: error:
void kernel(Holder h) {}
void run(Options *p) { xcc::launch({{1}, {1}}, kernel, Holder{p}); }
#elif defined(LONG_DOUBLE)
struct Own { int i; long double d; };
struct alignas(long double) Options { int i; };
static Options table[4];
int other(int i) { return table[i].i; }
// LONG: layout-mismatch.cpp:[[#@LINE-3]]:29: error: 'Options' has another layout on a device than on the host, and kernels are given the host's objects: its size is 16 on the host and 8 on the device; does it hold a long double
// LONG-NOT: error:
void kernel(int *p) { Own own{1, 2}; *p = table[1].i + own.i; }
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
#else
struct Options { Number n; };
void kernel(int *p, Options options) {}
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p, Options{}); }
// CHECK: error: kernel 'kernel' ({{.*}}layout-mismatch.cpp:[[#@LINE-2]]) differs between host and device: parameter 'options' (Options) has size 8 on the host and 4 on the device
#endif
