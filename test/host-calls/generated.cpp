// -foffload-host-calls: a function that only the host has is called there, with
// what its pointers point to; the compiler says what it copies.
// RUN: %clangxx -c %S/Inputs/host.cpp -o %t.o
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls %s %t.o -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// SHARED: remark: device code calls 'total' on the host{{$}}
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls -offload-arch=gfx90a,host \
// RUN:   -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %t | FileCheck %s --check-prefix=VALUES
// RUN: %xcc -std=c++20 -O0 -foffload-host-calls -w %s %t.o -o %t
// RUN: %t | FileCheck %s --check-prefix=VALUES
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls -c %s -o %t.device.o 2>/dev/null
// RUN: %xcc %t.device.o %t.o -o %t && %t | FileCheck %s --check-prefix=VALUES
//
// The sizes are known where the functions are called, so that nothing is left of
// the complaint about those that are not.
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls -offload-arch=sm_90 -S \
// RUN:   -foffload-device-only %s -o - 2>/dev/null | FileCheck %s --check-prefix=PTX
// PTX: .visible .global {{.*}}__xcc_rpc
// PTX-NOT: size is not known
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls -offload-arch=gfx90a -c \
// RUN:   -foffload-device-only %s -o %t.co 2>/dev/null
#include <cstdio>
#include <xcc/xcc.h>

struct Opaque;
// CHECK-DAG: generated.cpp:[[#@LINE+1]]:19: remark: device code calls 'total' on the host: copies 'values' in, 'n' by value
extern "C" double total(const double *values, int n);
// CHECK-DAG: remark: device code calls 'scale' on the host: copies 'values' in and out, 'n' by value, 'by' by value
void scale(float *values, int n, float by);
int text(const char *s);
// CHECK-DAG: remark: device code calls 'handle' on the host: copies 'nothing' as it is, 'count' in and out
bool handle(Opaque *nothing, int &count);

// CHECK-DAG: remark: device code calls 'print' on the host: copies 'format' in, and what a call adds
int print(const char *format, ...);

static const double table[4] = {1, 2, 4, 8};

static void kernel(int *out) {
  out[0] = int(total(table + 1, 3)); // 14
  float f[2] = {1, 2};
  scale(f, 2, 10);
  out[1] = int(f[0] + f[1]); // 30
  out[2] = text("hello");    // 5
  int count = 3;
  out[3] = handle(nullptr, count) ? count : 0; // 21
  const char word[] = "word";
  print("%d %s ", 1, word);
  out[4] = print("%g %c %s\n", 2.5f, 'x', "again"); // 12
}

int main() {
  xcc::buffer<int> out(5);
  xcc::launch({1, 1}, kernel, out.data());
  int got[5];
  out.copy_to(got, 5);
  std::printf("%d %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4]);
}
// VALUES: 1 word 2.5 x again
// VALUES: 14 30 5 21 12
