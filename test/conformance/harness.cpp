// Every way in which a test can end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clang-format off
// RUN: %xcc -std=c++20 -O2 %s -o %t \
// RUN:   -DCONFORMANCE_EXPECTATIONS='"Inputs/harness.txt"'
// RUN: %not env CONFORMANCE_SECONDS=1 %t | %FileCheck %s
// RUN: %t harness.passes harness.known | %FileCheck --check-prefix=CHOSEN %s
// RUN: %not %t harness.mended | %FileCheck --check-prefix=MENDED %s
// RUN: env CONFORMANCE_DEVICE=some-mock %t harness.passes \
// RUN:   | %FileCheck --check-prefix=MOCK %s
// RUN: env CONFORMANCE_DEVICE=other %t harness.passes \
// RUN:   | %FileCheck --check-prefix=OTHER %s
// RUN: %not env XCC_DEVICE=nonsense %t | %FileCheck --check-prefix=DEVICE %s
// RUN: %not %t --nonsense
// RUN: %t --list | %FileCheck --check-prefix=LIST %s
// clang-format on
#include "harness.h"

#include <csignal>

// CHECK: device 0: host
// CHOSEN: device
// MOCK: some-mock
// DEVICE: no device:{{.*}}nonsense
// LIST: harness.passes
// LIST-NEXT: harness.passes_on_the_host

TEST(passes, needs(execution)) { CHECK(1 + 1 == 2); }
// CHECK-NEXT: PASS harness.passes
// CHOSEN-NEXT: PASS harness.passes
// MOCK-NEXT: UNSUPPORTED harness.passes (runs no device code)
// OTHER: UNSUPPORTED harness.passes (is about another device)

TEST(passes_on_the_host) { EQUAL(2, 2u); }
// CHECK-NEXT: PASS harness.passes_on_the_host
// CHOSEN-NEXT: PASS harness.passes_on_the_host
// MOCK-NEXT: PASS harness.passes_on_the_host

TEST(check_fails) { CHECK(1 == 2); }
// CHECK-NEXT: FAIL harness.check_fails (line [[# @LINE - 1]]: 1 == 2)

TEST(numbers_differ) { EQUAL(2 + 1, 2); }
// CHECK-NEXT: FAIL harness.numbers_differ (line {{.*}}: 2 + 1 is 3, 2 is 2)

TEST(throws) {
  xcc::launch({{0}, {1}}, [] {});
}
// CHECK-NEXT: FAIL harness.throws (XCC_ERROR_INVALID_LAUNCH: {{.*}}grid

TEST(late_error) {
  xcc::launch({{1}, {1}}, [] { __builtin_trap(); });
}
// CHECK-NEXT: FAIL harness.late_error (XCC_ERROR_LAUNCH_FAILED:

TEST(a_thread_notes) {
  every_thread({{1}, {8}}, [](notes n) { EXPECT(n, xcc::global_id() < 7); });
}
// CHECK-NEXT: FAIL harness.a_thread_notes (a thread noted line [[# @LINE - 2]])

TEST(crashes) { std::raise(SIGSEGV); }
// CHECK-NEXT: FAIL harness.crashes (the process died: Segmentation fault)

TEST(exits) { std::exit(3); }
// CHECK-NEXT: FAIL harness.exits (the process ended with status 3)

TEST(hangs) {
  for (volatile int i = 0; i == i;) {
  }
}
// CHECK-NEXT: FAIL harness.hangs (hung)

TEST(skipped) { SKIP("no %s here", "such thing"); }
// CHECK-NEXT: UNSUPPORTED harness.skipped (no such thing here)

TEST(not_here) { std::abort(); }
// CHECK-NEXT: UNSUPPORTED harness.not_here (by its nature)

TEST(known) { CHECK(false); }
// CHECK-NEXT: XFAIL harness.known (a known gap)
// CHOSEN-NEXT: XFAIL harness.known (a known gap)

TEST(known_crash, needs(own_process)) { std::abort(); }
// CHECK-NEXT: XFAIL harness.known_crash (it crashes)

TEST(mended) {}
// CHECK-NEXT: XPASS harness.mended (a gap that is gone)
// MENDED: XPASS harness.mended

TEST(several_devices, needs(two_devices)) {}
// CHECK-NEXT: {{PASS|UNSUPPORTED}} harness.several_devices
// CHECK-NEXT: 2 passed, 8 failed, 3 unsupported, 2 failed as expected, 1 passed
