// Streams and events
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include <chrono>
#include "harness.h"

namespace {
/// Adds up slowly, so that what does not wait is seen not to.
void slow_add(int *p, int rounds, int value) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i)
    sum += __atomic_load_n(p, __ATOMIC_RELAXED) >= 0 ? 1 : 2;
  if (sum == rounds || sum == 2 * rounds)
    *p = *p * 3 + value;
}
constexpr int Rounds = 20000;

int combine(int n) {
  int value = 0;
  for (int i = 0; i < n; ++i)
    value = (value * 3 + i) % 100000;
  return value;
}
void step(int *p, int value) { *p = (*p * 3 + value) % 100000; }
} // namespace

TEST(order_in_the_default_stream, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  for (int i = 0; i < 500; ++i)
    xcc::launch({{1}, {1}}, step, b.data(), i);
  EQUAL(read(b)[0], combine(500));
}

TEST(order_in_a_stream, needs(execution)) {
  xcc::stream s;
  xcc::buffer<int> b(1);
  b.fill(0);
  for (int i = 0; i < 3000; ++i)
    xcc::launch({{1}, {1}, 0, &s}, step, b.data(), i);
  s.synchronize();
  EQUAL(read(b)[0], combine(3000));
}

TEST(many_streams, needs(execution)) {
  constexpr int n = 12;
  std::vector<xcc::stream> streams(n);
  xcc::buffer<int> b(n);
  b.fill(0);
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < n; ++k)
      xcc::launch({{1}, {1}, 0, &streams[k]}, step, b.data() + k, i);
  for (auto &s : streams)
    s.synchronize();
  for (int value : read(b))
    EQUAL(value, combine(200));
}

TEST(synchronize_waits_for_all_streams, needs(execution)) {
  xcc::buffer<int> b(4);
  b.fill(0);
  xcc::stream s[4];
  for (int k = 0; k < 4; ++k)
    xcc::launch({{1}, {1}, 0, &s[k]}, slow_add, b.data() + k, Rounds, 7);
  xcc::synchronize();
  for (auto &one : s)
    CHECK(one.query());
  for (int value : read(b))
    EQUAL(value, 7);
}

TEST(kernels_and_copies_in_order, needs(execution)) {
  constexpr std::size_t n = 10000;
  xcc::stream s;
  xcc::buffer<int> b(n);
  std::vector<int> in(n, 5), out(n);
  xcc_memory_copy_async(b.data(), in.data(), n * 4, s.handle());
  for (int i = 0; i < 10; ++i)
    xcc::launch({{(n + 255) / 256}, {256}, 0, &s}, [p = b.data()] {
      if (xcc::global_id() < n)
        p[xcc::global_id()] += 2;
    });
  xcc_memory_copy_async(out.data(), b.data(), n * 4, s.handle());
  xcc_memory_fill_async(b.data(), 0, n * 4, s.handle());
  s.synchronize();
  for (int value : out)
    EQUAL(value, 25);
  EQUAL(read(b)[n - 1], 0);
}

TEST(wait_across_streams, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  xcc::stream first, second;
  xcc::event done;
  for (int i = 0; i < 100; ++i) {
    xcc::stream &here = i % 2 ? first : second, &next = i % 2 ? second : first;
    xcc::launch({{1}, {1}, 0, &here}, step, b.data(), i);
    done.record(here);
    next.wait(done);
  }
  xcc::synchronize();
  EQUAL(read(b)[0], combine(100));
}

TEST(wait_of_a_slow_kernel, needs(execution)) {
  xcc::buffer<int> b(2);
  b.fill(0);
  xcc::stream first, second;
  xcc::event done;
  xcc::launch({{1}, {1}, 0, &first}, slow_add, b.data(), Rounds, 9);
  done.record(first);
  second.wait(done);
  xcc::launch({{1}, {1}, 0, &second}, [p = b.data()] { p[1] = p[0] + 1; });
  second.synchronize();
  EQUAL(read(b)[1], 10);
}

TEST(diamond_of_streams, needs(execution)) {
  xcc::buffer<int> b(4);
  xcc::stream s[4];
  xcc::event start, left, right;
  for (int round = 0; round < 20; ++round) {
    xcc::launch({{1}, {1}, 0, &s[0]}, [p = b.data(), round] { p[0] = round; });
    start.record(s[0]);
    s[1].wait(start);
    s[2].wait(start);
    xcc::launch({{1}, {1}, 0, &s[1]}, [p = b.data()] { p[1] = p[0] * 2; });
    xcc::launch({{1}, {1}, 0, &s[2]}, [p = b.data()] { p[2] = p[0] * 3; });
    left.record(s[1]);
    right.record(s[2]);
    s[0].wait(left);
    s[0].wait(right);
    xcc::launch({{1}, {1}, 0, &s[0]}, [p = b.data()] { p[3] = p[1] + p[2]; });
    s[0].synchronize();
    EQUAL(read(b)[3], 5 * round);
  }
}

TEST(event_never_recorded) {
  xcc::event e;
  xcc::stream s;
  e.synchronize();
  s.wait(e);
  s.synchronize();
  CHECK(s.query());
}

TEST(event_query) {
  xcc::stream s;
  xcc::event e;
  xcc::buffer<int> b(1000);
  for (int i = 0; i < 10; ++i) {
    EQUAL(xcc_memory_fill_async(b.data(), i, 4000, s.handle()), XCC_SUCCESS);
    e.record(s);
    const xcc_status now = xcc_event_query(e.handle());
    CHECK(now == XCC_SUCCESS || now == XCC_ERROR_NOT_READY);
    e.synchronize();
    CHECK(e.query());
  }
}

TEST(event_moves, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  xcc::stream s;
  xcc::event e;
  for (int i = 0; i < 50; ++i) {
    xcc::launch({{1}, {1}, 0, &s}, step, b.data(), i);
    e.record(s);
  }
  e.synchronize();
  CHECK(s.query());
  EQUAL(read(b)[0], combine(50));
}

TEST(event_of_the_default_stream, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  xcc::event e;
  xcc::launch({{1}, {1}}, slow_add, b.data(), Rounds, 3);
  e.record();
  e.synchronize();
  CHECK(e.query());
  EQUAL(read(b)[0], 3);
}

TEST(event_elapsed, needs(execution)) {
  xcc::stream s;
  xcc::event from, middle, to;
  xcc::buffer<int> b(1);
  b.fill(0);
  from.record(s);
  xcc::launch({{1}, {1}, 0, &s}, slow_add, b.data(), Rounds, 3);
  middle.record(s);
  xcc::launch({{1}, {1}, 0, &s}, slow_add, b.data(), Rounds, 3);
  to.record(s);
  using milliseconds_between = std::chrono::duration<double, std::milli>;
  const double whole = from.elapsed<milliseconds_between>(to).count(),
               half = from.elapsed<milliseconds_between>(middle).count();
  CHECK(half >= 0 && whole >= half && whole < 1e6);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  CHECK(to.since(from) == whole && to.reached() && s.idle());
#pragma clang diagnostic pop
}

TEST(event_elapsed_unrecorded) {
  xcc::event from, to;
  double milliseconds = 0;
  CHECK(xcc_event_elapsed(from.handle(), to.handle(), &milliseconds) !=
        XCC_SUCCESS);
}

TEST(stream_moves, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  xcc::stream s;
  xcc::launch({{1}, {1}, 0, &s}, step, b.data(), 5);
  xcc::stream t = std::move(s);
  CHECK(s.handle() == nullptr);
  xcc::launch({{1}, {1}, 0, &t}, step, b.data(), 1);
  t.synchronize();
  EQUAL(read(b)[0], 16);
}

TEST(destroying_a_stream_waits, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  {
    xcc::stream s;
    xcc::launch({{1}, {1}, 0, &s}, slow_add, b.data(), Rounds, 4);
  }
  EQUAL(read(b)[0], 4);
}

TEST(many_streams_come_and_go) {
  for (int i = 0; i < 300; ++i) {
    xcc::stream s;
    xcc::event e;
    e.record(s);
    s.wait(e);
  }
  xcc::synchronize();
}

TEST(deep_queue, needs(execution)) {
  // More launches than any queue holds.
  xcc::buffer<int> b(1);
  b.fill(0);
  xcc::stream s;
  for (int i = 0; i < 20000; ++i)
    xcc::launch({{1}, {1}, 0, &s}, [p = b.data()] { ++*p; });
  s.synchronize();
  EQUAL(read(b)[0], 20000);
}

TEST(null_arguments) {
  EQUAL(xcc_stream_create(nullptr), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_event_create(nullptr), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_event_record(nullptr, nullptr), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_event_query(nullptr), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_stream_wait_event(nullptr, nullptr), XCC_ERROR_INVALID_VALUE);
}
