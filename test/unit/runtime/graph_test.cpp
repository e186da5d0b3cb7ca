// Graphs of recorded launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using namespace xcc::test;

namespace {
struct Spent {
  uint32_t *to, left;
};
} // namespace

static void expectSuccess(xcc_status status) {
  EXPECT_EQ(status, XCC_SUCCESS) << xcc_error_last();
}

TEST(Graph, EachReplayHasItsArguments) {
  Unit u;
  xcc::stream s;
  uint32_t sum = 0;
  auto g = xcc::graph::record(s, [&] {
    expectSuccess(launch(u.kernel("spend", 16), config(3, 1, s.handle()),
                         Spent{&sum, 10}));
  });
  EXPECT_EQ(sum, 0u);
  for (int i = 0; i != 5; ++i)
    g.replay(s);
  s.synchronize();
  EXPECT_EQ(sum, 5u * (10 + 9 + 8));
}

TEST(Graph, AFailureNamesItsStepAndTheOthersRun) {
  Unit u;
  xcc::stream s;
  uint32_t counter = 0, *pointer = &counter;
  auto g = xcc::graph::record(s, [&] {
    xcc_launch_config c = config(10, 1, s.handle());
    expectSuccess(launch(u.kernel("count", 8), c, pointer));
    c.line = 20;
    expectSuccess(launch(u.kernel("trap", 4), c, XCC_CPU_TRAP_ASSERT));
    expectSuccess(launch(u.kernel("count", 8), c, pointer));
  });
  // The first time each step is measured, then they run in one go.
  for (uint32_t i = 1; i != 5; ++i) {
    g.replay(s);
    try {
      s.synchronize();
      ADD_FAILURE() << "nothing failed";
    } catch (const xcc::error &e) {
      EXPECT_EQ(e.status(), XCC_ERROR_LAUNCH_FAILED);
      EXPECT_STREQ(e.kernel(), "trap");
      EXPECT_STREQ(e.file(), "test.cpp");
      EXPECT_EQ(e.line(), 20u);
      EXPECT_EQ(e.device(), 0);
      EXPECT_NE(std::string(e.what()).find("launched at test.cpp:20"),
                std::string::npos)
          << e.what();
    }
    EXPECT_EQ(counter, 20u * i);
  }
  s.synchronize();
}

TEST(Graph, KindsOfKernels) {
  Unit u;
  xcc::stream s;
  uint32_t counter = 0, *pointer = &counter;
  std::vector<uint32_t> data(64 * 10);
  for (uint32_t i = 0; i != data.size(); ++i)
    data[i] = i;
  const std::vector<uint32_t> before = data;
  uint32_t *first = data.data();
  auto g = xcc::graph::record(s, [&] {
    for (int i = 0; i != 3; ++i) {
      expectSuccess(
          launch(u.kernel("increment", 8), config(10, 64, s.handle()), first));
      // Fibers.
      expectSuccess(
          launch(u.kernel("reverse", 8), config(10, 64, s.handle()), first));
      expectSuccess(
          launch(u.kernel("count", 8), config(70'000, 1, s.handle()), pointer));
    }
  });
  for (int i = 0; i != 4; ++i)
    g.replay(s);
  s.synchronize();
  EXPECT_EQ(counter, 12u * 70'000);
  for (uint32_t i = 0; i != data.size(); ++i)
    ASSERT_EQ(data[i], before[i] + 12);
}

TEST(Graph, IsOfNoUseWithoutItsKernels) {
  xcc::stream s;
  uint32_t counter = 0, *pointer = &counter;
  xcc_graph *g = nullptr;
  {
    Unit u;
    expectSuccess(xcc_graph_begin(s.handle()));
    expectSuccess(
        launch(u.kernel("count", 8), config(4, 1, s.handle()), pointer));
    expectSuccess(xcc_graph_end(s.handle(), &g));
    expectSuccess(xcc_graph_launch(g, s.handle()));
  }
  EXPECT_EQ(counter, 4u);
  EXPECT_EQ(xcc_graph_launch(g, s.handle()), XCC_ERROR_INVALID_KERNEL);
  EXPECT_STREQ(xcc_error_last(),
               "the graph launches 'count', whose library was unloaded");
  EXPECT_EQ(xcc_graph_update(g, 0, g), XCC_ERROR_INVALID_KERNEL);
  expectSuccess(xcc_graph_destroy(g));
}

TEST(Graph, GoesWhileItRuns) {
  Unit u;
  xcc::stream s;
  uint32_t counter = 0, *pointer = &counter;
  for (int i = 0; i != 50; ++i) {
    auto g = xcc::graph::record(s, [&] {
      for (int k = 0; k != 10; ++k)
        expectSuccess(
            launch(u.kernel("count", 8), config(4, 1, s.handle()), pointer));
    });
    g.replay(s);
  }
  s.synchronize();
  EXPECT_EQ(counter, 50u * 10 * 4);
  // A stream goes while it is recorded: no graph, and nothing runs.
  {
    xcc::stream gone;
    expectSuccess(xcc_graph_begin(gone.handle()));
    expectSuccess(
        launch(u.kernel("count", 8), config(4, 1, gone.handle()), pointer));
  }
  xcc::synchronize();
  EXPECT_EQ(counter, 50u * 10 * 4);
}

TEST(Graph, ReplayedAndChangedByThreads) {
  Unit u;
  constexpr int threads = 4, times = 100;
  uint32_t counters[threads] = {};
  std::vector<std::thread> all;
  xcc_kernel_info &count = u.kernel("count", 8);
  xcc::stream s;
  uint32_t *pointer = &counters[0];
  auto g = xcc::graph::record(s, [&] {
    for (int k = 0; k != 10; ++k)
      expectSuccess(launch(count, config(2, 1, s.handle()), pointer));
  });
  for (int t = 0; t != threads; ++t)
    all.emplace_back([&, t] {
      xcc::stream own;
      for (int i = 0; i != times; ++i) {
        g.replay(own);
        uint32_t *mine = &counters[t];
        g.update(size_t(i % 10), own, [&] {
          expectSuccess(launch(count, config(2, 1, own.handle()), mine));
        });
      }
      own.synchronize();
    });
  for (std::thread &t : all)
    t.join();
  uint32_t sum = 0;
  for (uint32_t c : counters)
    sum += c;
  EXPECT_EQ(sum, threads * times * 20u);
}

TEST(Graph, WrongArguments) {
  xcc_graph *g = nullptr;
  uint64_t n = 0;
  xcc::stream s;
  EXPECT_EQ(xcc_graph_begin(nullptr), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_graph_end(nullptr, &g), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_graph_end(s.handle(), &g), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_graph_launch(nullptr, s.handle()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_graph_size(nullptr, &n), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_graph_update(nullptr, 0, nullptr), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_stream_recorded(s.handle(), &n), XCC_ERROR_INVALID_VALUE);
  expectSuccess(xcc_graph_destroy(nullptr));
  // Nothing is a graph too.
  auto empty = xcc::graph::record(s, [] {});
  EXPECT_EQ(empty.size(), 0u);
  empty.replay(s);
  s.synchronize();
  // Another thread cannot end what this one began.
  expectSuccess(xcc_graph_begin(s.handle()));
  std::thread([&] {
    EXPECT_EQ(xcc_graph_end(s.handle(), &g), XCC_ERROR_INVALID_VALUE);
    // It records nothing itself.
    expectSuccess(xcc_device_synchronize(-1));
  }).join();
  expectSuccess(xcc_graph_end(s.handle(), nullptr));
}
