// What __shared__ of <xcc/cuda.h> cannot be.
// RUN: %not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -DPARSED %s -o %t.o 2>&1 | FileCheck --check-prefix=PARSED %s
// RUN: %not %xcc -c -DPARTS %s -o %t.o 2>&1 | FileCheck --check-prefix=PARTS %s
// RUN: %not %xcc -O2 -foffload-no-cubin --offload-arch=sm_70 -DHELD %s -o %t 2>&1 | FileCheck --check-prefix=HELD %s
// RUN: %not %xcc -O0 --offload-arch=gfx90a -DHELD %s -o %t 2>&1 | FileCheck --check-prefix=HELD %s
// RUN: %not %xcc -O0 -DHELD %s -o %t 2>&1 | FileCheck --check-prefix=HELD %s
// RUN: %not %xcc -std=c++20 -c -DTYPE %s -o %t.o 2>&1 | FileCheck --check-prefix=TYPE %s
#include <xcc/cuda.h>

#ifdef TYPE
struct made {
  int x;
  made() : x(1) {}
};
// TYPE: error: {{.*}}block-shared memory runs no constructors
void kernel(int *p) {
  static xcc::block_shared<made> object;
  *p = object->x;
}
int main() { xcc::launch({{1}, {1}}, kernel, nullptr); }
#elif defined PARSED
// PARSED: [[# @LINE + 1]]:8: error: a variable that a block shares is declared where it is used: only an array without a size, which is the launch's dynamic shared memory, can be extern
extern __shared__ int elsewhere;
// PARSED: [[# @LINE + 1]]:20: error: only a variable can be in the memory that a block shares
void parameter(int __shared__ x) {}
// PARSED: [[# @LINE + 1]]:{{.*}}: error: for __managed__ write xcc::shared_global<T>
__managed__ int managed;
#elif defined(PARTS)
struct parts {
  xcc::block_shared<int[4]> shared;
  int own;
};
struct derived : xcc::block_shared<int> {};
// PARTS-DAG: [[# @LINE + 1]]:14: error: only a part of this variable is block_shared: make that part a static variable of its own, or the whole variable an xcc::block_shared
static parts several[2];
__global__ void partly(int *p) {
  // PARTS-DAG: [[# @LINE + 1]]:18: error: only a part of this variable is block_shared
  static derived base;
  *p = several[1].shared[2] + base.value;
}
void start(int *p) { xcc::cuda::launch(partly, 1, 1)(p); }
// PARTS: 2 errors generated
#elif defined(HELD)
// HELD: error: 'held(int*)::kept' holds the address of block-shared variable 'held(int*)::tile', which differs from block to block: no variable that is one for all blocks can hold it
// HELD: note: make it a local variable, without 'static'
__global__ void held(int *p) {
  __shared__ int tile[4];
  static int *kept[2] = {tile, tile + 1};
  *p = *kept[*p & 1];
  kept[*p] = p;
}
int main() { xcc::cuda::launch(held, 1, 1)(nullptr); }
#else
struct made {
  int x;
  made() : x(1) {}
};
__global__ void kernel(int *p) {
  // CHECK: [[# @LINE + 1]]:18: error: a variable that a block shares cannot have an initialiser: let one thread write it, and the others wait for it
  __shared__ int counter = 0;
  // CHECK: [[# @LINE + 1]]:19: error: a variable that a block shares cannot have an initialiser
  __shared__ made object;
  __shared__ int fine[4];
  *p = counter + object.x + fine[0];
}
void start(int *p) { xcc::cuda::launch(kernel, 1, 1)(p); }
#endif
