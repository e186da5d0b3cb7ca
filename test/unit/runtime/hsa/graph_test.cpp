// Graphs of recorded launches as packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "child.h"
#include "hsa_unit.h"
#include "xcc/host.h"

#include <atomic>
#include <thread>

using namespace xcc::test;
using namespace xcc::rt;

namespace {
struct Arguments {
  uint64_t values[3];
};
class HsaGraph : public Hsa {
protected:
  xcc::stream s;

  void add(uint64_t value, xcc::stream &in) {
    ASSERT_OK(launch(u.kernel("add", 24), config(2, 32, in.handle()),
                     Arguments{{value, 0, 0}}));
  }
  void add(uint64_t value) { add(value, s); }
};
class DISABLED_HsaGraphFault : public HsaGraph {};
} // namespace

static bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// The first arguments of what ran since some record: "1 2 3 ".
static std::string ranSince(size_t from) {
  std::string all;
  for (size_t i = from; i != Mock::records(); ++i) {
    uint64_t first = 0;
    memcpy(&first, Mock::record(i).kernarg, sizeof(first));
    all += std::to_string(first) + " ";
  }
  return all;
}

TEST_F(HsaGraph, HasThePacketsOfItsLaunches) {
  std::vector<unsigned char> big(1000, 5);
  xcc_launch_config c{{5, 3, 2}, {32, 4, 2}, 256, s.handle(), "a.cpp", 7, 0};
  auto work = [&] {
    add(1);
    ASSERT_OK(xcc_kernel_launch(&u.kernel("big", 1000), &c, big.data(), 1000));
    ASSERT_OK(launch(u.kernel("nothing"), config(1, 1, s.handle())));
    uint64_t deep = 9;
    ASSERT_OK(launch(u.kernel("deep", 8), config(1, 1, s.handle()), deep));
  };
  work();
  s.synchronize();
  auto g = xcc::graph::record(s, work);
  const size_t alone = Mock::records();
  g.replay(s);
  s.synchronize();
  ASSERT_EQ(Mock::records(), alone + 4);
  for (size_t i = 0; i != 4; ++i) {
    mock_record was = Mock::record(alone - 4 + i), is = Mock::record(alone + i);
    aql::DispatchPacket a, b;
    memcpy(&a, was.packet, sizeof(a));
    memcpy(&b, is.packet, sizeof(b));
    EXPECT_NE(a.kernargAddress, b.kernargAddress);
    a.kernargAddress = b.kernargAddress = nullptr;
    EXPECT_EQ(memcmp(&a, &b, sizeof(a)), 0) << i;
    ASSERT_EQ(was.kernarg_size, is.kernarg_size);
    // What names the queue differs where another one is taken, but for these.
    EXPECT_EQ(memcmp(was.kernarg, is.kernarg, i == 1 ? 1192 : was.kernarg_size),
              0)
        << i;
  }
}

TEST_F(HsaGraph, TakesItsPlacesAtOnceAndRingsOnce) {
  // Where the queue stands does not matter, but for the run's end.
  for (uint64_t before : {0, 100, 230, 70}) {
    for (uint64_t i = 0; i != before; ++i)
      add(0);
    auto g = xcc::graph::record(s, [&] {
      for (uint64_t i = 1; i != 51; ++i)
        add(i);
    });
    g.replay(s);
    s.synchronize();
    const size_t additions = Mock::additions(), rings = Mock::rings(),
                 records = Mock::records();
    g.replay(s);
    EXPECT_EQ(Mock::additions(), additions + 1);
    EXPECT_EQ(Mock::rings(), rings + 1);
    s.synchronize();
    ASSERT_EQ(Mock::records(), records + 50);
    std::string expected;
    for (uint64_t i = 1; i != 51; ++i)
      expected += std::to_string(i) + " ";
    EXPECT_EQ(ranSince(records), expected);
  }
}

TEST_F(HsaGraph, CopiesAndFillsAreInOrder) {
  constexpr size_t n = 500'000; // more than what fills begin with
  struct Wide {
    int a[25];
  };
  xcc::buffer<int> a(n), b(n);
  xcc::buffer<Wide> wide(4000);
  xcc::host_buffer<int> in(n), out(n);
  xcc::host_buffer<Wide> wideOut(4000);
  static const int *from;
  static int *to;
  from = a.data();
  to = b.data();
  Mock::body("k_nothing", [](const void *, const mock_dispatch *) {
    for (size_t i = 0; i != n; ++i)
      to[i] = from[i] + 1;
  });
  Wide w{};
  w.a[24] = 8;
  auto g = xcc::graph::record(s, [&] {
    add(1);
    s.fill(a.data(), 7, n);
    s.fill(wide.data(), w, 4000);
    s.copy(a.data() + 10, in.data(), 10);
    ASSERT_OK(launch(u.kernel("nothing"), config(1, 1, s.handle())));
    s.copy(out.data(), b.data(), n);
    s.copy(wideOut.data(), wide.data(), 4000);
    add(2);
  });
  const size_t fills = Mock::calls("hsa_amd_memory_fill");
  for (int turn = 1; turn != 4; ++turn) {
    for (size_t i = 0; i != 20; ++i)
      in[i] = 100 * turn;
    const size_t additions = Mock::additions(), records = Mock::records();
    g.replay(s);
    // Up to the fills, from there to the copies, and what comes behind them.
    EXPECT_EQ(Mock::additions(), additions + 3);
    s.synchronize();
    EXPECT_EQ(Mock::records(), records + 3);
    for (size_t i = 0; i != n; ++i)
      ASSERT_EQ(out[i], i >= 10 && i < 20 ? 100 * turn + 1 : 8) << i;
    for (size_t i = 0; i != 4000; ++i)
      ASSERT_EQ(wideOut[i].a[24], 8);
    a.fill(0);
    out[0] = 0;
  }
  EXPECT_EQ(Mock::calls("hsa_amd_memory_fill"), fills);
  Mock::body("k_nothing", nullptr);
}

/// A kernel that asks for its queue, memory that the engines do not see, rows.
TEST_F(HsaGraph, OtherStepsStandBetween) {
  int plain[100] = {};
  xcc::buffer<int> a(100);
  xcc::stream other;
  auto g = xcc::graph::record(s, [&] {
    add(1);
    ASSERT_OK(launch(u.kernel("all_hidden", 24), config(2, 32, s.handle()),
                     Arguments{{2, 0, 0}}));
    add(3);
    s.fill(a.data(), 4, 100);
    s.copy(plain, a.data(), 100);
    add(5);
  });
  for (xcc::stream *in : {&s, &other}) {
    const size_t records = Mock::records();
    g.replay(*in);
    in->synchronize();
    EXPECT_EQ(ranSince(records), "1 2 3 5 ");
    EXPECT_EQ(plain[99], 4);
    plain[99] = 0;
    uint64_t queue = 0;
    memcpy(&queue, Mock::record(records + 1).kernarg + 24 + 200, 8);
    EXPECT_NE(queue, 0u);
  }
}

TEST_F(HsaGraph, IsLongerThanTheQueue) {
  constexpr uint64_t n = 5000;
  auto g = xcc::graph::record(s, [&] {
    for (uint64_t i = 0; i != n; ++i)
      add(i);
  });
  const size_t records = Mock::records();
  g.replay(s);
  g.replay(s);
  s.synchronize();
  ASSERT_EQ(Mock::records(), records + 2 * n);
  for (size_t i = 0; i != 2 * n; ++i) {
    uint64_t first;
    memcpy(&first, Mock::record(records + i).kernarg, sizeof(first));
    ASSERT_EQ(first, i % n);
  }
}

TEST_F(HsaGraph, ChangesWhileItRunsAndBetween) {
  auto g = xcc::graph::record(s, [&] {
    add(1);
    add(2);
  });
  size_t records = Mock::records();
  Mock::pause(true);
  g.replay(s);
  g.update(1, s, [&] { add(20); });
  g.replay(s);
  Mock::pause(false);
  s.synchronize();
  EXPECT_EQ(ranSince(records), "1 2 1 20 ");
  // Nothing is in flight: in its place, without other memory.
  g.replay(s);
  s.synchronize();
  records = Mock::records();
  const size_t allocated = Mock::calls("hsa_amd_memory_pool_allocate");
  g.update(0, s, [&] { add(10); });
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(ranSince(records), "10 20 ");
  EXPECT_EQ(Mock::calls("hsa_amd_memory_pool_allocate"), allocated);
  // Larger arguments, which have no room there; another kind of step.
  std::vector<unsigned char> big(1000, 1);
  xcc::buffer<int> a(100);
  const size_t before = Mock::calls("hsa_amd_memory_pool_allocate");
  g.update(0, s, [&] {
    ASSERT_OK(xcc_kernel_launch(&u.kernel("increment", 8),
                                std::array{config(1, 1, s.handle())}.data(),
                                big.data(), 8));
    s.fill(a.data(), 3, 100);
  });
  g.replay(s);
  s.synchronize();
  EXPECT_LE(Mock::calls("hsa_amd_memory_pool_allocate"), before + 1);
  int seen = 0;
  a.copy_to(&seen, 1);
  EXPECT_EQ(seen, 3);
}

TEST_F(HsaGraph, ReplayedAndChangedByThreads) {
  constexpr int threads = 4, times = 60;
  xcc_kernel_info &k = u.kernel("add", 24);
  std::atomic<uint64_t> sum{0};
  static std::atomic<uint64_t> *to;
  to = &sum;
  Mock::body("k_add", [](const void *kernarg, const mock_dispatch *) {
    uint64_t first;
    memcpy(&first, kernarg, sizeof(first));
    *to += first;
  });
  xcc::buffer<char> a(3000);
  xcc::host_buffer<char> b(3000);
  auto g = xcc::graph::record(s, [&] {
    for (int i = 0; i != 40; ++i)
      ASSERT_OK(launch(k, config(2, 32, s.handle()), Arguments{{1, 0, 0}}));
    s.copy(b.data(), a.data(), 3000);
    for (int i = 0; i != 40; ++i)
      ASSERT_OK(launch(k, config(2, 32, s.handle()), Arguments{{1, 0, 0}}));
  });
  std::vector<std::thread> all;
  for (int t = 0; t != threads; ++t)
    all.emplace_back([&, t] {
      xcc::stream own;
      xcc::stream &in = t % 2 ? s : own;
      for (int i = 0; i != times; ++i) {
        g.replay(in);
        EXPECT_OK(launch(k, config(2, 32, in.handle()), Arguments{{1, 0, 0}}));
        g.update(size_t(i % 40), own, [&] {
          EXPECT_OK(
              launch(k, config(3, 32, own.handle()), Arguments{{1, 0, 0}}));
        });
      }
      own.synchronize();
    });
  for (std::thread &t : all)
    t.join();
  s.synchronize();
  EXPECT_EQ(sum, uint64_t(threads * times * 81));
  Mock::body("k_add", nullptr);
}

TEST_F(HsaGraph, GivesBackItsMemory) {
  size_t most = 0;
  for (int i = 0; i != 60; ++i) {
    {
      auto g = xcc::graph::record(s, [&] {
        for (uint64_t k = 0; k != 100; ++k)
          add(k);
      });
      g.replay(s);
    }
    s.synchronize();
    if (i == 10)
      most = Mock::allocated();
  }
  EXPECT_EQ(Mock::allocated(), most);
}

TEST_F(HsaGraph, WithoutMemoryItIsEnqueuedStepByStep) {
  auto g = xcc::graph::record(s, [&] {
    for (uint64_t i = 1; i != 20'000; ++i)
      add(i);
    add(4);
  });
  // More than is kept of graphs that have gone.
  Mock::fail("hsa_amd_memory_pool_allocate", 1, 0x1008);
  const size_t records = Mock::records();
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(Mock::records(), records + 20'000);
}

TEST_F(HsaGraph, ACopyThatCannotBeginEndsTheReplayThere) {
  xcc::buffer<int> a(100);
  xcc::host_buffer<int> out(100);
  auto g = xcc::graph::record(s, [&] {
    add(1);
    s.copy(out.data(), a.data(), 100);
    s.copy(out.data(), a.data(), 50);
    add(2);
  });
  size_t records = Mock::records();
  for (unsigned n : {1, 2}) {
    Mock::fail("hsa_amd_memory_async_copy", n, 0x1001);
    try {
      g.replay(s);
      ADD_FAILURE() << "nothing failed";
    } catch (const xcc::error &e) {
      EXPECT_TRUE(has(e.what(), "hsa_amd_memory_async_copy failed on device 0"))
          << e.what();
    }
  }
  add(3);
  s.synchronize();
  EXPECT_EQ(ranSince(records), "1 1 3 ");
  // One that fails while it runs is the stream's failure, as any.
  records = Mock::records();
  Mock::failCopy(1);
  g.replay(s);
  try {
    s.synchronize();
    ADD_FAILURE() << "nothing failed";
  } catch (const xcc::error &e) {
    EXPECT_TRUE(has(e.what(), "a copy failed")) << e.what();
  }
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(ranSince(records), "1 2 1 2 ");
}

TEST_F(DISABLED_HsaGraphFault, NamesItsLaunch) {
  auto g = xcc::graph::record(s, [&] {
    xcc_launch_config c = config(4, 64, s.handle());
    for (uint32_t i = 0; i != 10; ++i) {
      c.line = 30 + i;
      const uint64_t argument = 0;
      if (i == 6)
        EXPECT_OK(launch(u.kernel("increment", 8), c, argument));
      else
        EXPECT_OK(launch(u.kernel("nothing"), c));
    }
  });
  g.replay(s);
  s.synchronize();
  Mock::readLate(true);
  Mock::failDispatch(7, 41);
  g.replay(s);
  EXPECT_EQ(xcc_stream_synchronize(s.handle()), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_TRUE(has(xcc_error_last(), "'increment'")) << xcc_error_last();
  EXPECT_TRUE(has(xcc_error_last(), "test.cpp:36")) << xcc_error_last();
  EXPECT_THROW(g.replay(s), xcc::error);
  EXPECT_TRUE(has(xcc_error_last(), "unusable")) << xcc_error_last();
}
TEST(HsaGraphs, AFaultNamesItsLaunch) {
  runChild("DISABLED_HsaGraphFault.NamesItsLaunch");
}

TEST(HsaGraphs, InQueuesOfFourPackets) {
  for (const char *test :
       {"ReplayedAndChangedByThreads", "IsLongerThanTheQueue",
        "OtherStepsStandBetween", "ACopyThatCannotBeginEndsTheReplayThere"})
    runChild(std::string("HsaGraph.") + test, "MOCK_HSA_QUEUE_SIZE=4");
}
