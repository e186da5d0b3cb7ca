// Launch arguments are checked as if the kernel were called there.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s
// What is more than a device's kernels take.
// RUN: %not %xcc -DLARGE -foffload-no-cubin --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck --check-prefixes=LARGE,LARGE-90 %s
// RUN: %not %xcc -DLARGE -foffload-no-cubin --offload-arch=sm_60 %s -o %t 2>&1 | FileCheck --check-prefixes=LARGE,LARGE-60 %s
// RUN: %not %xcc -DLARGE --offload-arch=gfx90a %s -o %t 2>&1 | FileCheck --check-prefixes=LARGE,LARGE-AMD %s
//
// Local variables for which threads have no room.
// RUN: %not %xcc -DSTACK -O0 --offload-arch=gfx1100 %s -o %t 2>&1 | FileCheck --check-prefix=STACK %s
// RUN: %not %xcc -DSTACK -O2 -g --offload-arch=gfx90a %s -o %t 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: %not %xcc -DSTACK -O0 -foffload-no-cubin --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck --check-prefix=STACK %s
// RUN: %not %xcc -DSTACK -O0 -g -foffload-no-cubin --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck --check-prefix=NAMED %s
#include <xcc/xcc.h>
#ifdef STACK
[[gnu::noinline]] int deep(int *p, int n) {
  volatile char room[(1 << 19) + 8];
  for (int &i = *p; i < 1 << 19; ++i)
    room[i] = char(i);
  return room[n];
}
void calls(int *p, int n) { p[n] = deep(p, n); }
void holds(int *p, int n) {
  volatile int table[1 << 18];
  for (int &i = *p; i < 1 << 18; ++i)
    table[i] = i;
  p[n] = table[n];
}
int main() {
  xcc::launch({{1}, {1}}, holds, nullptr, 1);
  xcc::launch({{1}, {1}}, calls, nullptr, 1);
}
// STACK-DAG: arguments.cpp:[[# @LINE - 10]]: kernel 'holds' needs 1048{{...}} bytes of stack for each thread, and on {{gfx.*|sm_90}} a thread has at most {{[0-9]+}}; its largest local variable{{.*}} has 1048576 bytes
// STACK-DAG: arguments.cpp:[[# @LINE - 12]]: kernel 'calls' needs 524{{...}} bytes of stack for each thread, and on {{gfx.*|sm_90}} a thread has at most {{[0-9]+}}; its largest local variable{{.*}} in 'deep(int*, int)' has 524296 bytes
// NAMED-DAG: kernel 'holds' needs {{.*}} local variable 'table' has 1048576 bytes
// NAMED-DAG: kernel 'calls' needs {{.*}} local variable 'room' in 'deep
// STACK: note: put what is large into memory: xcc::buffer, malloc
#elif defined(LARGE)
struct large {
  int values[300'000];
};
void takes(int *p, large l) { *p = l.values[*p]; }
int main() {
  static large l;
  xcc::launch({{1}, {1}}, takes, nullptr, l);
}
// LARGE-90: arguments.cpp:[[# @LINE - 5]]: kernel 'takes' takes 1200008 bytes of arguments and captures, and on sm_90 a kernel can take 32764
// LARGE-60: kernel 'takes' takes 1200008 bytes of arguments and captures, and on sm_60 a kernel can take 4352
// LARGE-AMD: kernel 'takes' takes 1200008 bytes of arguments and captures, and on gfx90a a kernel can take 1048576
// LARGE: note: put what is large into memory, and pass its address: xcc::buffer
#else

void kernel(int n, float *p) {}
void reference(const int &n) {}

int main() {
  const float *constant = nullptr;
  // CHECK: :[[#@LINE+1]]:36: error: too few arguments to function call, expected 2, have 1
  xcc::launch({{1}, {1}}, kernel, 1);
  // CHECK: :[[#@LINE-7]]:6: note: 'kernel' declared here
  // CHECK: :[[#@LINE+1]]:47: error: too many arguments to function call, expected 2, have 3
  xcc::launch({{1}, {1}}, kernel, 1, nullptr, 2);
  // CHECK: :[[#@LINE+1]]:38: error: cannot initialize a parameter of type 'float *' with an lvalue of type 'const float *'
  xcc::launch({{1}, {1}}, kernel, 1, constant);
  // CHECK: :[[#@LINE-12]]:27: note: passing argument to parameter 'p' here
  // CHECK: :[[#@LINE+1]]:27: error: no matching function for call to object of type
  xcc::launch({{1}, {1}}, [](int) {}, 1, 2);
  // CHECK: note: candidate function not viable: requires 1 argument, but 2 were provided
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: parameter 'n' is a reference, and the temporary it is bound to is gone when the kernel runs
  xcc::launch({{1}, {1}}, reference, 4);
  auto generic = [](auto) {};
  // CHECK: :[[#@LINE+1]]:24: error: the parameter types of a generic lambda are not known here
  xcc::kernel_info_for(generic);
  // CHECK: note: name them, as in kernel_info_for<int, float *>(lambda)
}
// CHECK: 6 errors generated.
#endif
