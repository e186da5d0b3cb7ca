// What __shared__ of <xcc/cuda.h> cannot be.
// RUN: %not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -DPARSED %s -o %t.o 2>&1 | FileCheck --check-prefix=PARSED %s
#include <xcc/cuda.h>

#ifdef PARSED
// PARSED: [[# @LINE + 1]]:8: error: a variable that a block shares is declared where it is used: only an array without a size, which is the launch's dynamic shared memory, can be extern
extern __shared__ int elsewhere;
// PARSED: [[# @LINE + 1]]:20: error: only a variable can be in the memory that a block shares
void parameter(int __shared__ x) {}
// PARSED: [[# @LINE + 1]]:{{.*}}: error: for __managed__ write xcc::shared_global<T>
__managed__ int managed;
#else
struct made {
  int x;
  made() : x(1) {}
};
__global__ void kernel(int *p) {
  // CHECK: [[# @LINE + 1]]:18: error: a variable that a block shares has no initialiser: let one thread write it, and the block wait
  __shared__ int counter = 0;
  // CHECK: [[# @LINE + 1]]:19: error: a variable that a block shares has no initialiser
  __shared__ made object;
  __shared__ int fine[4];
  *p = counter + object.x + fine[0];
}
void start(int *p) { xcc::cuda::launch(kernel, 1, 1)(p); }
#endif
