// Nobody knows a value that went through an assembly without text, nor what memory
// holds after one that clobbers it.
// RUN: %ptx -O2 -offload-arch=sm_70 %s | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -S -foffload-device-only -o - -offload-arch=gfx90a %s | FileCheck --check-prefix=AMD %s
// RUN: not %xcc -c -O2 -DTEXT -offload-arch=sm_70 %s -o %t.o 2>&1 | FileCheck --check-prefix=TEXT %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}number
// CHECK: mul.f64
// AMD-LABEL: {{^}}{{.*}}number{{.*}}:
// AMD: v_mul_f64
void number(double *to) {
  double value = 3;
  asm("" : "+x"(value));
  *to = value * 7;
}
// CHECK-LABEL: .entry {{.*}}memory
// CHECK: st.global
// CHECK: begin inline asm
// CHECK: st.global
// AMD-LABEL: {{^}}{{.*}}memory{{.*}}:
// AMD: global_store
// AMD: ;;#ASMSTART
// AMD: global_store
void memory(int *to) {
  *to = 1;
  asm volatile("" ::: "memory");
  *to = 2;
}
#ifdef TEXT
void text(int *to) { asm volatile("incl %0" : "+m"(*to)); }
// TEXT: empty-assembly.cpp:[[#@LINE-1]]:22: error: inline assembly of the host cannot run on this device
// TEXT: note: in kernel 'text', which is launched here
#endif

void start(int *x, double *y) {
  xcc::launch({{1}, {1}}, number, y);
  xcc::launch({{1}, {1}}, memory, x);
#ifdef TEXT
  xcc::launch({{1}, {1}}, text, x);
#endif
}
