// What ends a kernel early is an error at the next synchronisation that names
// the kernel and the launch; the program and the device go on.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cassert>
#include <stdexcept>
#include <vector>

void throws(int i) {
  if (xcc::global_id() == 5)
    throw std::out_of_range("far out");
}
void throws_number() {
  if (xcc::global_id() == 5)
    throw 42;
}
void asserts(int limit) { assert(int(xcc::global_id()) < limit); }
void aborts() {
  if (xcc::global_id() == 7)
    std::abort();
}
void traps() {
  if (xcc::global_id() == 7)
    __builtin_trap();
}
void null_pointer(int *p) {
  if (xcc::global_id() == 9)
    p[2] = 1;
}
void divides(int *out, int by) { *out = 7 / by; }
[[gnu::noinline]] int deeper(int n, volatile int *p) {
  volatile int own[100];
  own[n % 100] = *p;
  return deeper(n + 1, p) + own[n % 100];
}
void without_end(int *out) { *out = deeper(0, out); }
void throws_behind_barrier() {
  xcc::sync_block();
  if (xcc::thread_idx().x == 3)
    throw std::runtime_error("behind");
  xcc::sync_block();
}
void fine(int *p) { p[xcc::global_id()] = 1; }

template <class F> void expect(F launches) {
  try {
    launches();
    xcc::synchronize();
    std::puts("no error");
  } catch (const xcc::error &e) {
    std::printf("%s:%u: %s: %s\n", e.kernel(), e.line(),
                xcc_status_name(e.status()), e.what());
  }
}

int main() {
  expect([&] { xcc::launch({{4}, {64}}, throws, 1); });
  // CHECK: throws:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}std::out_of_range
  expect([&] { xcc::launch({{4}, {64}}, throws_number); });
  // CHECK: throws_number:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}int
  expect([&] { xcc::launch({{4}, {64}}, asserts, 100); });
  // CHECK: asserts:[[# @LINE - 1]]: {{.*}}< limit
  expect([&] { xcc::launch({{4}, {64}}, aborts); });
  // CHECK: aborts:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}abort
  expect([&] { xcc::launch({{4}, {64}}, traps); });
  // CHECK: traps:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED
  expect([&] { xcc::launch({{4}, {64}}, null_pointer, nullptr); });
  // CHECK: null_pointer:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}0x8
  xcc::buffer<int> buffer(256);
  expect([&] { xcc::launch({{4}, {64}}, divides, buffer.data(), 0); });
  // CHECK: divides:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}division by zero
  expect([&] { xcc::launch({{1}, {1}}, without_end, buffer.data()); });
  // CHECK: without_end:[[# @LINE - 1]]: XCC_ERROR_LAUNCH_FAILED: {{.*}}stack overflow
  expect([&] { xcc::launch({{4}, {64}}, throws_behind_barrier); });
  // CHECK: throws_behind_barrier:[[# @LINE - 1]]: {{.*}}std::runtime_error
  expect([&] {
    xcc::launch({{4}, {64}}, fine, buffer.data());
    xcc::synchronize();
  });
  // CHECK-NEXT: no error
}
