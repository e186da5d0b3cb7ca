// Of many kernels those that are launched are generated, and what kernels share
// they share, whenever each is launched.
// RUN: %xcc -std=c++20 -O2 -offload-arch=generic:x86_64 %s -o %t
// RUN: env XCC_LOG=load %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: grep -c "generated here" %t.out | FileCheck %s --check-prefix=COUNT
// RUN: rm -rf %t.dump && env XCC_JIT_DUMP=%t.dump %t && ls %t.dump | FileCheck %s --check-prefix=DUMP
// COUNT: {{^}}3{{$}}

// One file of each kind for each group.
// DUMP-COUNT-3: native.bc
// DUMP-NOT: .bc
#include <cstdio>
#include <xcc/xcc.h>

// A variable, through which one kernel tells another; so does a function that
// is only called through a pointer, whose address both must see alike.
static int counter = 7;
using function = int (*)(int);
static int twice(int i) { return 2 * i; }
static function chosen;

template <int N> void many(int *out) { out[0] += N; }

template <int... N> void none(std::integer_sequence<int, N...>, bool launch) {
  if (launch)
    (xcc::launch({{1}, {1}}, many<N>, nullptr), ...);
}

void count(int by) { counter += by; }
void read(int *out) { *out = counter; }
void choose() { chosen = twice; }
void call(int *out) { *out = chosen(21) + (chosen == twice); }

int main(int count_, char **) {
  none(std::make_integer_sequence<int, 300>(), count_ > 1);
  xcc::buffer<int> device(1);
  int host = 1000;
  device.copy_from(&host, 1);
  xcc::launch({{1}, {1}}, many<17>, device.data());
  xcc::launch({{1}, {1}}, count, 3);
  device.copy_to(&host, 1);
  std::printf("many: %d\n", host); // CHECK: many: 1017
  xcc::launch({{1}, {1}}, read, device.data());
  device.copy_to(&host, 1);
  std::printf("counter: %d\n", host); // CHECK: counter: 10
  xcc::launch({{1}, {1}}, choose);
  xcc::launch({{1}, {1}}, call, device.data());
  device.copy_to(&host, 1);
  std::printf("called: %d\n", host); // CHECK: called: 43
}
