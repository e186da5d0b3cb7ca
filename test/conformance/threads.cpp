// Many host threads, several devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <atomic>
#include <thread>

namespace {
constexpr int Threads = 8;

/// Runs body(0) ... body(7) at once; rethrows what one of them threw.
template <class F> void at_once(F body) {
  std::vector<std::string> problems(Threads);
  std::atomic<int> ready{0};
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < Threads; ++i)
      threads.emplace_back([&, i] {
        ++ready;
        while (ready < Threads)
          std::this_thread::yield();
        try {
          body(i);
        } catch (const std::exception &e) {
          problems[i] = e.what();
        }
      });
    for (auto &t : threads)
      t.join();
  }
  for (int i = 0; i < Threads; ++i)
    if (!problems[i].empty())
      conformance::stop("thread %d: %s", i, problems[i].c_str());
}

/// One kernel for each number, so that threads race to load different ones.
template <int Number> void add_number(int *p) { *p += Number; }

template <int... Number>
void launch_one(int which, int *p, std::integer_sequence<int, Number...>) {
  ((which == Number ? xcc::launch({{1}, {1}}, add_number<Number>, p) : void()),
   ...);
}

/// Calls body with each device current that can run this program.
template <class F> void on_each_device(F body) {
  const xcc::device before = xcc::device::current();
  for (int i = 0; i < xcc::device::count(); ++i) {
    const xcc::device d = xcc::device::get(i);
    d.set_current();
    if (status_of([] { xcc::launch({{1}, {1}}, [] {}); }) == XCC_SUCCESS)
      body(d);
  }
  before.set_current();
}
} // namespace

TEST(first_launch_at_once, needs(execution | own_process)) {
  at_once([](int) {
    xcc::buffer<int> b(100);
    xcc::launch({{1}, {100}}, [p = b.data()] {
      p[xcc::global_id()] = int(xcc::global_id());
    });
    const auto back = read(b);
    for (int i = 0; i < 100; ++i)
      EQUAL(back[i], i);
  });
}

TEST(different_kernels_at_once, needs(execution | own_process)) {
  xcc::buffer<int> b(1);
  xcc::buffer<int> cells(Threads);
  cells.fill(0);
  at_once([p = cells.data()](int thread) {
    for (int i = 0; i < 16; ++i)
      launch_one((i + thread) % 16, p + thread,
                 std::make_integer_sequence<int, 16>());
    xcc::synchronize();
  });
  for (int value : read(cells))
    EQUAL(value, 120);
}

TEST(one_stream_each, needs(execution)) {
  at_once([](int thread) {
    xcc::stream s;
    xcc::buffer<int> b(64);
    b.fill(0);
    for (int i = 0; i < 500; ++i)
      xcc::launch({{1}, {64}, 0, &s}, [p = b.data(), thread] {
        p[xcc::global_id()] += thread + 1;
      });
    s.synchronize();
    for (int value : read(b))
      EQUAL(value, 500 * (thread + 1));
  });
}

TEST(the_default_stream_together, needs(execution)) {
  xcc::buffer<int> b(1);
  b.fill(0);
  at_once([p = b.data()](int) {
    for (int i = 0; i < 300; ++i)
      xcc::launch({{1}, {1}}, [p] { ++*p; }); // in order, so no race
    xcc::synchronize();
  });
  EQUAL(read(b)[0], Threads * 300);
}

TEST(one_stream_together, needs(execution)) {
  xcc::stream s;
  xcc::buffer<int> b(1);
  b.fill(0);
  at_once([p = b.data(), &s](int) {
    for (int i = 0; i < 300; ++i)
      xcc::launch({{1}, {1}, 0, &s}, [p] { ++*p; });
  });
  s.synchronize();
  EQUAL(read(b)[0], Threads * 300);
}

TEST(memory_at_once) {
  at_once([](int thread) {
    std::vector<int> values(1000);
    for (int round = 0; round < 50; ++round) {
      xcc::buffer<int> b(values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = thread * 100000 + round * 1000 + int(i);
      b.copy_from(values.data(), values.size());
      const auto back = read(b);
      CHECK(back == values);
    }
  });
}

TEST(events_between_threads, needs(execution)) {
  // Thread after thread goes on with what the one before enqueued.
  xcc::buffer<int> b(1);
  b.fill(0);
  std::vector<xcc::stream> streams(Threads);
  std::vector<xcc::event> events(Threads);
  std::atomic<int> turn{0};
  at_once([&, p = b.data()](int thread) {
    while (turn != thread)
      std::this_thread::yield();
    if (thread)
      streams[thread].wait(events[thread - 1]);
    xcc::launch({{1}, {1}, 0, &streams[thread]},
                [p, thread] { *p = *p * 3 + thread; });
    events[thread].record(streams[thread]);
    ++turn;
  });
  xcc::synchronize();
  int expected = 0;
  for (int i = 0; i < Threads; ++i)
    expected = expected * 3 + i;
  EQUAL(read(b)[0], expected);
}

TEST(streams_come_and_go_at_once) {
  at_once([](int) {
    for (int i = 0; i < 100; ++i) {
      xcc::stream s;
      xcc::event e;
      e.record(s);
      e.synchronize();
    }
  });
}

TEST(last_errors_are_per_thread) {
  at_once([](int thread) {
    for (int i = 0; i < 50; ++i) {
      std::string what;
      if (thread % 2) {
        (void)status_of([] { xcc::launch({{1}, {0}}, [] {}); }, &what);
        CHECK(what.find("block") != std::string::npos);
      } else {
        (void)status_of([] { xcc::launch({{0}, {1}}, [] {}); }, &what);
        CHECK(what.find("grid") != std::string::npos);
      }
    }
  });
}

TEST(the_current_device_is_per_thread) {
  const int here = xcc::device::current().ordinal();
  at_once([here](int thread) {
    EQUAL(xcc::device::current().ordinal(), here);
    const xcc::device mine = xcc::device::get(thread % xcc::device::count());
    mine.set_current();
    for (int i = 0; i < 100; ++i)
      EQUAL(xcc::device::current().ordinal(), mine.ordinal());
  });
  EQUAL(xcc::device::current().ordinal(), here);
}

TEST(no_such_device_stays_out) {
  const int here = xcc::device::current().ordinal();
  EQUAL(xcc_device_set_current(xcc::device::count()), XCC_ERROR_INVALID_DEVICE);
  EQUAL(xcc_device_set_current(-1), XCC_ERROR_INVALID_DEVICE);
  EQUAL(xcc::device::current().ordinal(), here);
}

TEST(properties_of_every_device) {
  for (int i = 0; i < xcc::device::count(); ++i) {
    const xcc::device d = xcc::device::get(i);
    EQUAL(d.ordinal(), i);
    CHECK(*d.name() && *d.kind() && *d.arch());
    CHECK(d.cores() > 0 && d.memory() > 0);
    CHECK(d.warp_size() == 32 || d.warp_size() == 64);
    CHECK(d.max_block() >= 256 && d.shared_memory() >= 16384);
    for (int k = 0; k < 3; ++k)
      CHECK(d.properties().max_block_dim[k] >= 64 &&
            d.properties().max_grid_dim[k] >= 65535);
  }
}

TEST(a_kernel_on_each_device, needs(execution | two_devices)) {
  on_each_device([](const xcc::device &d) {
    xcc::buffer<int> b(100);
    xcc::parallel_for(100, [p = b.data(), add = d.ordinal()](std::size_t i) {
      p[i] = int(i) + add;
    });
    EQUAL(read(b)[99], 99 + d.ordinal());
  });
}

TEST(all_devices_at_once, needs(execution | two_devices)) {
  std::vector<std::thread> threads;
  std::vector<std::string> problems(xcc::device::count());
  on_each_device([&](const xcc::device &d) {
    threads.emplace_back([d, &problem = problems[d.ordinal()]] {
      try {
        d.set_current();
        xcc::buffer<int> b(1);
        b.fill(0);
        for (int i = 0; i < 200; ++i)
          xcc::launch({{1}, {1}}, [p = b.data()] { ++*p; });
        EQUAL(read(b)[0], 200);
      } catch (const std::exception &e) {
        problem = e.what();
      }
    });
  });
  for (auto &t : threads)
    t.join();
  for (const auto &problem : problems)
    if (!problem.empty())
      conformance::stop("%s", problem.c_str());
}

TEST(copies_between_devices, needs(two_devices)) {
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[i] = i * 3;
  on_each_device([&](const xcc::device &) {
    xcc::buffer<int> from(1000);
    from.copy_from(values.data(), 1000);
    on_each_device([&](const xcc::device &) {
      xcc::buffer<int> to(1000);
      EQUAL(xcc_memory_copy(to.data(), from.data(), 4000), XCC_SUCCESS);
      CHECK(read(to) == values);
    });
  });
}

TEST(a_stream_of_another_device_is_refused, needs(two_devices)) {
  xcc::stream here;
  on_each_device([&](const xcc::device &d) {
    // A launch goes to its stream's device; if the runtime refuses that, it
    // says so, and the stream remains usable.
    const xcc_status status = status_of([&] {
      xcc::launch({{1}, {1}, 0, &here}, [] {});
    });
    CHECK(status == XCC_SUCCESS || status == XCC_ERROR_INVALID_VALUE ||
          status == XCC_ERROR_INVALID_LAUNCH);
    (void)d;
  });
  here.synchronize();
}
