// What follows xcc::cuda::configure is the call of a kernel: what else is said at its place.
// RUN: %not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -DALONE %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
#include <xcc/cuda.h>
__global__ void kernel(int *p) { p[0] = 1; }
#ifdef ALONE
void alone(int *p) {
  // ALONE: :[[#@LINE+1]]:3: error: {{.*}}no call of a kernel follows this configuration
  xcc::cuda::configure(1, 1);
  kernel(p);
}
#else
struct object {
  void method(int *p) const;
};
static void undefined(int *);
__global__ int returns(int *) { return 1; }
template <class T> __global__ void sized(T *) {}
void run(int *p, object o) {
  // CHECK-DAG: :[[#@LINE+1]]:3: note: a template is launched with its arguments, as in xcc::cuda::launch(kernel<int>, grid, block)
  xcc::cuda::launch(sized, 1, 1)(p);
  // CHECK-DAG: :[[#@LINE+1]]:31: error: no matching function for call to 'kernel'
  xcc::cuda::configure(1, 1), kernel(p, 1);
  // CHECK-DAG: :[[#@LINE+1]]:33: error: what is launched is no function: the call of a kernel follows xcc::cuda::configure(grid, block)
  xcc::cuda::configure(1, 1), o.method(p);
  // CHECK-DAG: :[[#@LINE+1]]:36: error: what is launched is no function
  xcc::cuda::configure(1, 1), p[0] = 1;
  // CHECK-DAG: :[[#@LINE+1]]:31: error: kernel 'undefined' is not defined in this translation unit
  xcc::cuda::configure(1, 1), undefined(p);
  // CHECK-DAG: :[[#@LINE+1]]:31: error: a kernel must return void, and 'returns' returns 'int'
  xcc::cuda::configure(1, 1), returns(p);
}
// CHECK: 7 errors generated
#endif
