// A function of very many launches is compiled in proportion to their number: LLVM makes no memset of what each launch stores, for which it would renumber the memory accesses of the whole function.
// RUN: %xcc -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <xcc/xcc.h>

struct Kernel {
  int *at;
  void operator()() const { ++*at; }
};

#define FOUR(code) code code code code
// CHECK-LABEL: define {{.*}}@_Z4manyPi(
// CHECK-NOT: call void @llvm.memset
// CHECK: ret void
void many(int *p) {
  FOUR(FOUR(FOUR(FOUR(xcc::launch({{1}, {1}}, Kernel{p});))))
}

// CHECK-LABEL: define {{.*}}@_Z3fewPi(
// CHECK: call void @llvm.memset
// CHECK: ret void
void few(int *p) { FOUR(xcc::launch({{1}, {1}}, Kernel{p});) }
