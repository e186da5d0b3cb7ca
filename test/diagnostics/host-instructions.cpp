// Instructions of the host's that GPUs have nothing for are named, with the
// calls that lead to them.
// RUN: not %xcc -c %s -offload-arch=sm_70 -o %t.o 2>&1 | FileCheck %s
// RUN: not %xcc -c %s -offload-arch=gfx90a -o %t.o 2>&1 | FileCheck %s
// RUN: %xcc -c %s -o %t.o
// Versions of a function are for machines of the host's kind.
// RUN: not %xcc -DVERSIONS -fsyntax-only %s -offload-arch=sm_70,gfx90a 2>&1 | FileCheck %s --check-prefix=VERSIONS
// RUN: %xcc -DVERSIONS -fsyntax-only %s
#include <xcc/xcc.h>
#include <xmmintrin.h>

inline void flush_to_zero() { _mm_setcsr(_mm_getcsr() | 0x8000); }
void kernel() { flush_to_zero(); }
void run() { xcc::launch({{1}, {1}}, kernel); }
// CHECK: host-instructions.cpp:[[#@LINE-3]]:{{.*}}: error: device code uses '_mm_setcsr', an instruction of the host that this device does not have
// CHECK: note: there are functions for SSE to AVX2, FMA, F16C, BMI, AES and SHA; keep other instructions out with #ifndef __XCC_DEVICE_PASS__ or -mno-<name>
// CHECK: host-instructions.cpp:[[#@LINE-4]]:{{.*}}: note: 'flush_to_zero' is called by 'kernel' here
// CHECK: host-instructions.cpp:[[#@LINE-4]]:{{.*}}: note: in kernel 'kernel', which is launched here
// CHECK-NOT: error:

#ifdef VERSIONS
// VERSIONS: :[[#@LINE+1]]:{{.*}}: error: function multiversioning is not supported on the current target
__attribute__((target("default"))) int version() { return 1; }
__attribute__((target("avx2"))) int version() { return 2; }
#endif
