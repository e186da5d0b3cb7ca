// Graphs of recorded launches on CUDA devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

using namespace xcc::test;

static std::string seen;
static void see(const void *kernarg, const mock_launch *) {
  uint64_t first;
  memcpy(&first, kernarg, sizeof(first));
  seen += std::to_string(first) + " ";
}

namespace {
struct Arguments {
  uint64_t values[3];
};
} // namespace

static void add(CudaUnit &u, xcc::stream &s, uint64_t value) {
  EXPECT_EQ(launch(u.kernel("add", 24), config(2, 32, s.handle()),
                   Arguments{{value, 0, 0}}),
            XCC_SUCCESS)
      << xcc_error_last();
}

TEST(CudaGraph, IsOneCallOfTheDriver) {
  CudaUnit u;
  xcc::stream s;
  mock::setKernel("k_add", see);
  xcc::buffer<int> a(100);
  xcc::host_buffer<int> out(100);
  auto g = xcc::graph::record(s, [&] {
    s.fill(a.data(), 7, 100);
    for (uint64_t i = 1; i != 4; ++i)
      add(u, s, i);
    s.copy(out.data(), a.data(), 100);
  });
  EXPECT_EQ(seen, "");
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(seen, "1 2 3 ");
  EXPECT_EQ(out[99], 7);
  mock::clear();
  g.replay(s);
  EXPECT_EQ(mock::calls(), "cuGraphLaunch()\n");
  s.synchronize();
  EXPECT_EQ(seen, "1 2 3 1 2 3 ");
  seen.clear();
  g.update(2, s, [&] { add(u, s, 20); });
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(seen, "1 20 3 ");
  EXPECT_EQ(mock::count("cuGraphLaunch"), 2u);
  EXPECT_EQ(mock::count("cuGraphExecDestroy"), 1u);
  EXPECT_EQ(mock::count("cuStreamDestroy_v2"), 1u);
}

TEST(CudaGraph, StepByStepWhereTheDriverHasNone) {
  CudaUnit u;
  xcc::stream s;
  mock::setKernel("k_add", see);
  auto g = xcc::graph::record(s, [&] { add(u, s, 5); });
  mock::fail("cuGraphInstantiateWithFlags", 1, 801);
  mock::clear();
  g.replay(s);
  g.replay(s);
  s.synchronize();
  EXPECT_EQ(seen, "5 5 ");
  EXPECT_EQ(mock::count("cuGraphLaunch"), 0u);
  EXPECT_EQ(mock::count("cuGraphDestroy"), 1u);
  // Of memory that is the program's own too.
  seen.clear();
  xcc::buffer<int> a(10);
  int host[10] = {};
  a.fill(3);
  auto copies = xcc::graph::record(s, [&] {
    add(u, s, 6);
    s.copy(host, a.data(), 10);
  });
  copies.replay(s);
  s.synchronize();
  EXPECT_EQ(host[9], 3);
  EXPECT_EQ(seen, "6 ");
  EXPECT_EQ(mock::count("cuGraphLaunch"), 0u);
}

TEST(CudaGraph, AFaultNamesItsLaunches) {
  CudaUnit u;
  xcc::stream s;
  auto g = xcc::graph::record(s, [&] { add(u, s, 5); });
  g.replay(s);
  mock::fault(700);
  try {
    s.synchronize();
    ADD_FAILURE() << "nothing failed";
  } catch (const xcc::error &e) {
    EXPECT_NE(std::string(e.what()).find("'add'"), std::string::npos)
        << e.what();
  }
}
