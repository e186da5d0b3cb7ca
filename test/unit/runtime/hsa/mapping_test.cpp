// Mapping for AMD GPUs, with memory of their own and with the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "child.h"
#include "hsa_unit.h"

#include <atomic>
#include <vector>

using namespace xcc::test;

namespace {

std::atomic<size_t> seen; ///< launches, of several queues

/// k_add: its first argument is a list, of which it adds one to each of 2000.
void increment(const void *kernarg, const mock_dispatch *) {
  uint32_t *list;
  memcpy(&list, kernarg, sizeof(list));
  for (int i = 0; i != 2000; ++i)
    ++list[i];
  ++seen;
}

class HsaMapping : public Hsa {
protected:
  HsaMapping() {
    seen = 0;
    Mock::body("k_add", increment);
  }
  ~HsaMapping() override { Mock::body("k_add", nullptr); }

  /// True when there was something to name.
  bool launchWith(std::vector<uint32_t> &list, xcc_stream *stream = nullptr) {
    struct {
      uint32_t *list;
      uint64_t more[2];
    } a{list.data(), {}};
    xcc_launch_config c = config(1, 64, stream);
    xcc_mapping *m = nullptr;
    EXPECT_OK(xcc_launch_begin(&u.kernel("add", 24), &c, &a, sizeof(a), &m));
    if (!m)
      return false;
    xcc_mapping_range(m, a.list, 4 * list.size(), 4 * list.size(), 0);
    xcc_mapping_address(m, &a.list, XCC_ADDRESS_POINTER);
    EXPECT_OK(xcc_mapping_launch(m));
    return true;
  }
};
using DISABLED_HsaMapping = HsaMapping;

} // namespace

TEST_F(HsaMapping, ThereAndBackInOrder) {
  std::vector<uint32_t> list(2000, 5), other(2000, 7);
  xcc_stream *s = nullptr, *t = nullptr;
  ASSERT_OK(xcc_stream_create(&s));
  ASSERT_OK(xcc_stream_create(&t));
  for (int i = 0; i != 3; ++i) {
    EXPECT_TRUE(launchWith(list, s));
    EXPECT_TRUE(launchWith(other, t));
  }
  EXPECT_TRUE(launchWith(list, t));
  EXPECT_EQ(list[1999], 5u);
  ASSERT_OK(xcc_stream_synchronize(t));
  EXPECT_EQ(other[1999], 10u);
  ASSERT_OK(xcc_stream_synchronize(s));
  EXPECT_EQ(list[1999], 9u);
  EXPECT_EQ(seen, 7u);
  ASSERT_OK(xcc_stream_destroy(s));
  ASSERT_OK(xcc_stream_destroy(t));
}

TEST_F(HsaMapping, FailedCopiesAreErrors) {
  std::vector<uint32_t> list(2000, 5);
  EXPECT_TRUE(launchWith(list));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(list[0], 6u);
  Mock::failCopy(1);
  void *pointers[] = {list.data()};
  uint64_t sizes[] = {8000};
  EXPECT_NE(
      xcc_data_begin(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr),
      XCC_SUCCESS);
  EXPECT_EQ(list[0], 6u);
}

TEST_F(DISABLED_HsaMapping, Shared) {
  std::vector<uint32_t> list(2000, 5);
  EXPECT_FALSE(launchWith(list));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(list[1999], 6u);
  // A scope is nothing.
  void *pointers[] = {list.data()};
  uint64_t sizes[] = {8000};
  const size_t copies = Mock::calls("hsa_amd_memory_async_copy");
  ASSERT_OK(
      xcc_data_begin(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr));
  EXPECT_FALSE(launchWith(list));
  ASSERT_OK(
      xcc_data_end(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr));
  EXPECT_EQ(list[0], 7u);
  EXPECT_EQ(Mock::calls("hsa_amd_memory_async_copy"), copies);
}

/// XNACK, or one memory.
TEST_F(HsaMapping, NothingMovesWhereTheHostsMemoryIsReached) {
  runChild("DISABLED_HsaMapping.Shared", "MOCK_HSA_SVM=1");
}
