// What a failing kernel leaves behind
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <cassert>

namespace {
void fine(int *p) { p[xcc::global_id()] = int(xcc::global_id()) + 1; }
void traps(unsigned at) {
  if (xcc::global_id() == at)
    __builtin_trap();
}
void aborts() {
  if (xcc::global_id() == 7)
    std::abort();
}
void asserts(unsigned limit) { assert(xcc::global_id() < limit); }
void terminates() {
  if (xcc::global_id() == 1)
    std::terminate();
}
void writes_to(int *p) { p[xcc::global_id()] = 1; }
// What is no pointer to the launch is not looked at by it.
void writes_at(std::uintptr_t where) { writes_to(reinterpret_cast<int *>(where)); }
void throws(std::size_t at) {
  if (xcc::global_id() == at)
    throw 42;
}
void throws_behind_a_barrier(int *p) {
  xcc::sync_block();
  if (xcc::thread_idx().x == 3)
    __builtin_trap();
  xcc::sync_block();
  p[xcc::global_id()] = 1;
}

/// After a failure a device either goes on, or says in every later call that it
/// cannot; it never hangs and never gives wrong results.
void usable_or_documented_dead() {
  try {
    xcc::buffer<int> b(256);
    xcc::launch({{4}, {64}}, fine, b.data());
    const auto back = read(b);
    for (int i = 0; i < 256; ++i)
      EQUAL(back[i], i + 1);
  } catch (const xcc::error &e) {
    EQUAL(e.status(), XCC_ERROR_LAUNCH_FAILED);
    CHECK(std::strlen(e.what()) > 20);
  }
}

/// The launch gives no error, the synchronisation does, and it names the kernel
/// and the launch's line.
template <class F>
void fails_later(F launches, const char *kernel, unsigned line) {
  launches();
  try {
    xcc::synchronize();
    conformance::stop("line %u: no error", line);
  } catch (const xcc::error &e) {
    EQUAL(e.status(), XCC_ERROR_LAUNCH_FAILED);
    if (!std::strstr(e.what(), kernel) && !std::strstr(e.kernel(), kernel))
      conformance::stop("no word of %s in '%s'", kernel, e.what());
    EQUAL(e.line(), line);
    CHECK(std::strstr(e.file(), "errors.cpp"));
    CHECK(e.device() == xcc::device::current().ordinal());
  }
  usable_or_documented_dead();
}
} // namespace

#define FAILS_LATER(kernel, ...)                                               \
  fails_later([&] { __VA_ARGS__; }, kernel, __LINE__)

TEST(no_error_without_cause, needs(execution)) {
  xcc::buffer<int> b(256);
  xcc::launch({{4}, {64}}, fine, b.data());
  EQUAL(status_of([] { xcc::synchronize(); }), XCC_SUCCESS);
  EQUAL(read(b)[255], 256);
}

TEST(trap, needs(execution | own_process)) {
  FAILS_LATER("traps", xcc::launch({{4}, {64}}, traps, 9));
}
TEST(trap_of_the_last_thread, needs(execution | own_process)) {
  FAILS_LATER("traps", xcc::launch({{1000}, {64}}, traps, 63999));
}
TEST(trap_behind_a_barrier, needs(execution | own_process)) {
  xcc::buffer<int> b(256);
  FAILS_LATER("throws_behind_a_barrier",
              xcc::launch({{4}, {64}}, throws_behind_a_barrier, b.data()));
}
TEST(abort, needs(execution | own_process)) {
  FAILS_LATER("aborts", xcc::launch({{4}, {64}}, aborts));
}
TEST(terminate, needs(execution | own_process)) {
  FAILS_LATER("terminates", xcc::launch({{4}, {64}}, terminates));
}
TEST(assertion, needs(execution | own_process)) {
  FAILS_LATER("asserts", xcc::launch({{4}, {64}}, asserts, 100));
}
TEST(assertion_that_holds, needs(execution)) {
  xcc::launch({{4}, {64}}, asserts, 256);
  xcc::synchronize();
}
TEST(exception, needs(execution | own_process)) {
  FAILS_LATER("throws", xcc::launch({{4}, {64}}, throws, 5));
}
TEST(null_pointer, needs(execution | own_process)) {
  FAILS_LATER("writes_to", xcc::launch({{4}, {64}}, writes_to, nullptr));
}
TEST(wild_pointer, needs(execution | own_process)) {
  FAILS_LATER("writes_at", xcc::launch({{4}, {64}}, writes_at,
                                       std::uintptr_t(0x7ead) << 44));
}

TEST(closures_are_named, needs(execution | own_process)) {
  FAILS_LATER("lambda", xcc::launch({{1}, {64}}, [] {
                if (xcc::global_id() == 3)
                  __builtin_trap();
              }));
}

TEST(reported_by_the_stream, needs(execution | own_process)) {
  xcc::stream s;
  xcc::launch({{1}, {64}, 0, &s}, traps, 0);
  EQUAL(status_of([&] { s.synchronize(); }), XCC_ERROR_LAUNCH_FAILED);
  usable_or_documented_dead();
}

TEST(reported_by_the_event, needs(execution | own_process)) {
  xcc::stream s;
  xcc::event e;
  xcc::launch({{1}, {64}, 0, &s}, traps, 0);
  // The device may be dead before the event is in its stream.
  EQUAL(status_of([&] {
          e.record(s);
          e.synchronize();
        }),
        XCC_ERROR_LAUNCH_FAILED);
  usable_or_documented_dead();
}

TEST(reported_by_a_copy, needs(execution | own_process)) {
  xcc::buffer<int> b(64);
  int host[64];
  xcc::launch({{1}, {64}}, traps, 0);
  EQUAL(status_of([&] { b.copy_to(host, 64); }), XCC_ERROR_LAUNCH_FAILED);
  usable_or_documented_dead();
}

TEST(reported_by_a_query, needs(execution | own_process)) {
  xcc::stream s;
  xcc::launch({{1}, {64}, 0, &s}, traps, 0);
  xcc_status status;
  while ((status = xcc_stream_query(s.handle())) == XCC_ERROR_NOT_READY) {
  }
  EQUAL(status, XCC_ERROR_LAUNCH_FAILED);
  usable_or_documented_dead();
}

TEST(many_failures_in_a_row, needs(execution | own_process)) {
  for (int i = 0; i < 20; ++i) {
    // The launch itself may be refused once the device is dead.
    const xcc_status status = status_of([&] {
      xcc::launch({{2}, {64}}, traps, i);
      xcc::synchronize();
    });
    EQUAL(status, XCC_ERROR_LAUNCH_FAILED);
  }
  usable_or_documented_dead();
}

TEST(an_error_outlives_the_next, needs(execution | own_process)) {
  const unsigned line = __LINE__ + 2;
  try {
    xcc::launch({{1}, {64}}, traps, 0);
    xcc::synchronize();
    CHECK(!"no error");
  } catch (const xcc::error &e) {
    const std::string before = e.what();
    const xcc::error copy = e;
    // A device that can be used no more may say that instead.
    CHECK(status_of([] {
            xcc::launch({{0}, {1}}, [] {});
          }) != XCC_SUCCESS);
    CHECK(before == e.what() && before == copy.what());
    EQUAL(copy.line(), line);
  }
}

TEST(ending_with_a_failure_unreported, needs(execution | own_process)) {
  // The harness ends this process; it has to end well.
  xcc::launch({{1}, {64}}, traps, 0);
  (void)status_of([] { xcc::synchronize(); });
  (void)status_of([] { xcc::launch({{1}, {64}}, traps, 0); });
  (void)xcc_stream_query(nullptr);
  (void)status_of([] { xcc::synchronize(); });
}

TEST(refused_calls_do_not_reach_the_device) {
  EQUAL(status_of([] {
          xcc::launch({{0}, {1}}, [] {});
        }),
        XCC_ERROR_INVALID_LAUNCH);
  EQUAL(xcc_kernel_launch(nullptr, nullptr, nullptr, 0), XCC_ERROR_INVALID_KERNEL);
  EQUAL(status_of([] { xcc::device::get(1000); }), XCC_ERROR_INVALID_DEVICE);
  EQUAL(status_of([] { xcc::device::get(-7); }), XCC_ERROR_INVALID_DEVICE);
  xcc::synchronize();
}

TEST(status_names) {
  CHECK(!std::strcmp(xcc_status_name(XCC_SUCCESS), "XCC_SUCCESS"));
  CHECK(
      !std::strcmp(xcc_status_name(XCC_ERROR_NO_IMAGE), "XCC_ERROR_NO_IMAGE"));
  CHECK(xcc_status_name(static_cast<xcc_status>(12345)));
}
