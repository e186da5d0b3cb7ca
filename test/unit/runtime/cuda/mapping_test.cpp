// What mapping asks of the driver, and in which order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <vector>

using namespace xcc::test;
using namespace xcc::rt::cuda;

namespace {

struct Arguments {
  uint32_t *list;
  uint64_t count;
};

/// What k_fill does here.
void increment(const void *kernarg, const mock_launch *) {
  Arguments a;
  memcpy(&a, kernarg, sizeof(a));
  for (uint64_t i = 0; i != a.count; ++i)
    ++a.list[i];
}

/// Launches with a list of the host.
xcc_status launchWith(xcc_kernel_info &k, std::vector<uint32_t> &list,
                      xcc_stream *stream = nullptr, uint32_t flags = 0) {
  Arguments a{list.data(), list.size()};
  xcc_launch_config c = config(1, 1, stream);
  xcc_mapping *m = nullptr;
  xcc_status status = xcc_launch_begin(&k, &c, &a, sizeof(a), &m);
  if (status != XCC_SUCCESS || !m)
    return status;
  xcc_mapping_enter(m, "list", 0);
  xcc_mapping_range(m, a.list, 4 * list.size(), 4 * list.size(), flags);
  xcc_mapping_address(m, &a.list, XCC_ADDRESS_POINTER);
  xcc_mapping_leave(m);
  return xcc_mapping_launch(m);
}

/// The calls that move bytes, start kernels or wait: a letter for each.
std::string order() {
  std::string calls = mock::calls(), out;
  for (size_t at = 0; at < calls.size();) {
    size_t end = std::min(calls.find('\n', at), calls.size());
    std::string one = calls.substr(at, end - at);
    if (one.starts_with("cuMemcpy"))
      out += 'c';
    else if (one.starts_with("cuLaunchKernel"))
      out += 'k';
    else if (one.starts_with("cuStreamWaitEvent"))
      out += 'w';
    at = end + 1;
  }
  return out;
}

class CudaMapping : public testing::Test {
protected:
  CudaMapping() { mock::setKernel("k_fill", increment); }
  ~CudaMapping() { mock::setKernel("k_fill", nullptr); }
};

} // namespace

TEST_F(CudaMapping, InBeforeTheKernelBackBehindIt) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<uint32_t> small(4), large(5000, 1);
  for (auto *list : {&small, &large}) {
    const uint32_t was = list->back();
    mock::clear();
    for (int i = 0; i != 3; ++i)
      ASSERT_EQ(launchWith(k, *list), XCC_SUCCESS) << xcc_error_last();
    EXPECT_EQ(list->back(), was);
    EXPECT_EQ(order(), "ckkk") << mock::calls();
    xcc::synchronize();
    EXPECT_EQ(order(), "ckkkc") << mock::calls();
    EXPECT_EQ(list->back(), was + 3);
    xcc::synchronize();
    EXPECT_EQ(order(), "ckkkc") << "once";
  }
}

TEST_F(CudaMapping, OnlyTheWaysThatAreStated) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<uint32_t> list(5000, 1);
  ASSERT_EQ(launchWith(k, list, nullptr, XCC_MAP_IN), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(order(), "ck");
  mock::clear();
  ASSERT_EQ(launchWith(k, list, nullptr, XCC_MAP_OUT), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(order(), "kc");
  mock::clear();
  ASSERT_EQ(launchWith(k, list, nullptr, XCC_MAP_KEEP), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(order(), "k");
}

TEST_F(CudaMapping, StreamsThatShareWaitForEachOther) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<uint32_t> list(5000), other(5000);
  xcc::stream s, t;
  ASSERT_EQ(launchWith(k, list, s.handle()), XCC_SUCCESS);
  ASSERT_EQ(launchWith(k, other, t.handle()), XCC_SUCCESS);
  EXPECT_EQ(order(), "ckck") << "nothing is shared";
  ASSERT_EQ(launchWith(k, list, t.handle()), XCC_SUCCESS);
  EXPECT_EQ(order(), "ckckwk");
  t.synchronize();
  s.synchronize();
  EXPECT_EQ(list[4999], 2u);
  EXPECT_EQ(other[4999], 1u);
}

TEST_F(CudaMapping, ScopesMoveWhenTheyAreAskedTo) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<uint32_t> list(5000);
  void *pointers[] = {list.data()};
  uint64_t sizes[] = {20000};
  uint32_t out[] = {XCC_MAP_OUT}, in[] = {XCC_MAP_IN};
  ASSERT_EQ(
      xcc_data_begin(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr),
      XCC_SUCCESS);
  EXPECT_EQ(order(), "c");
  ASSERT_EQ(launchWith(k, list), XCC_SUCCESS);
  ASSERT_EQ(launchWith(k, list), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(order(), "ckk");
  EXPECT_EQ(list[0], 0u);
  ASSERT_EQ(xcc_data_update(nullptr, 1, nullptr, pointers, sizes, out, nullptr),
            XCC_SUCCESS);
  EXPECT_EQ(order(), "ckkc");
  EXPECT_EQ(list[0], 2u);
  list[0] = 50;
  ASSERT_EQ(xcc_data_update(nullptr, 1, nullptr, pointers, sizes, in, nullptr),
            XCC_SUCCESS);
  ASSERT_EQ(launchWith(k, list), XCC_SUCCESS);
  ASSERT_EQ(
      xcc_data_end(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr),
      XCC_SUCCESS);
  EXPECT_EQ(order(), "ckkcckc");
  EXPECT_EQ(list[0], 51u);
}

TEST(CudaMappingShared, NothingMovesWhereTheHostsMemoryIsReached) {
  setenv("MOCK_CUDA_PAGEABLE", "1", 1); // read when the mock is first called
  mock::setKernel("k_fill", increment);
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<uint32_t> list(5000);
  EXPECT_EQ(launchWith(k, list), XCC_SUCCESS);
  xcc::synchronize();
  xcc::buffer<int> b(4);
  EXPECT_EQ(order(), "k");
  EXPECT_EQ(mock::count("cuMemAlloc_v2"), 1u) << "the buffer's";
  EXPECT_EQ(list[4999], 1u);
}

TEST_F(CudaMapping, PinnedAndDeviceMemoryPass) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  xcc::host_buffer<uint32_t> pinned(8);
  xcc::buffer<uint32_t> device(8);
  device.fill(0);
  pinned[7] = 0;
  xcc::synchronize();
  mock::clear();
  for (uint32_t *list : {pinned.data(), device.data()}) {
    Arguments a{list, 8};
    xcc_launch_config c = config(1, 1);
    xcc_mapping *m = nullptr;
    ASSERT_EQ(xcc_launch_begin(&k, &c, &a, sizeof(a), &m), XCC_SUCCESS);
    EXPECT_EQ(xcc_mapping_range(m, list, 32, 32, 0), 0);
    xcc_mapping_address(m, &a.list, XCC_ADDRESS_POINTER);
    ASSERT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  }
  xcc::synchronize();
  EXPECT_EQ(order(), "kk");
  EXPECT_EQ(pinned[7], 1u);
}

/// Fails at each of the allocations and copies in turn.
TEST_F(CudaMapping, WhatFailsIsUndone) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("fill", 16);
  std::vector<std::vector<uint32_t>> lists(4, std::vector<uint32_t>(5000, 1));
  auto launchAll = [&] {
    Arguments a{lists[0].data(), 5000};
    xcc_launch_config c = config(1, 1);
    xcc_mapping *m = nullptr;
    EXPECT_EQ(xcc_launch_begin(&k, &c, &a, sizeof(a), &m), XCC_SUCCESS);
    for (auto &list : lists)
      xcc_mapping_range(m, list.data(), 20000, 20000, 0);
    xcc_mapping_address(m, &a.list, XCC_ADDRESS_POINTER);
    return xcc_mapping_launch(m);
  };
  ASSERT_EQ(launchWith(k, lists[0]), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(lists[0][0], 2u);
  // Memory that is kept for later is given back, and asked for again: 2 calls.
  const char *allocation =
      mock::count("cuMemAllocAsync") ? "cuMemAllocAsync" : "cuMemAlloc_v2";
  for (int nth = 1; nth <= 3; ++nth) {
    mock::fail(allocation, nth, OutOfMemory);
    mock::fail(allocation, nth + 1, OutOfMemory);
    mock::fail(allocation, nth + 2, OutOfMemory);
    EXPECT_EQ(launchAll(), XCC_ERROR_OUT_OF_MEMORY) << xcc_error_last();
    EXPECT_SAYS("cuda:0");
    xcc::synchronize();
    for (auto &list : lists)
      EXPECT_EQ(list[1], &list == &lists[0] ? 2u : 1u);
    for (int rest = 0; rest != 8; ++rest) { // failures that were not met
      void *memory = nullptr;
      if (xcc_memory_alloc(64, &memory) == XCC_SUCCESS)
        xcc_memory_free(memory);
    }
  }
  ASSERT_EQ(launchAll(), XCC_SUCCESS) << xcc_error_last();
  xcc::synchronize();
  EXPECT_EQ(lists[0][0], 3u);
  EXPECT_EQ(lists[3][0], 1u);
  // Scopes as well.
  std::vector<void *> pointers;
  std::vector<uint64_t> sizes(4, 20000);
  for (auto &list : lists)
    pointers.push_back(list.data());
  mock::fail("cuMemcpyAsync", 3, InvalidValue);
  EXPECT_NE(xcc_data_begin(nullptr, 4, nullptr, pointers.data(), sizes.data(),
                           nullptr, nullptr),
            XCC_SUCCESS);
  EXPECT_EQ(xcc_data_end(nullptr, 1, nullptr, pointers.data(), sizes.data(),
                         nullptr, nullptr),
            XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(lists[0][0], 3u);
  ASSERT_EQ(launchAll(), XCC_SUCCESS) << xcc_error_last();
  xcc::synchronize();
  EXPECT_EQ(lists[0][0], 4u);
}
