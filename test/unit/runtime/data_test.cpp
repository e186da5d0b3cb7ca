// Ranges that stay on a device, as compilers of other languages ask for it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "separate.h"
#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <vector>

using namespace xcc::test;

namespace {

/// The arrays of a call.
struct Ranges {
  std::vector<void *> bases, pointers;
  std::vector<uint64_t> sizes;
  std::vector<uint32_t> flags;
  std::vector<const char *> names;

  Ranges &add(void *pointer, uint64_t size, uint32_t flag = 0,
              void *base = nullptr) {
    bases.push_back(base);
    pointers.push_back(pointer);
    sizes.push_back(size);
    flags.push_back(flag);
    names.push_back("it");
    return *this;
  }
  xcc_status call(decltype(xcc_data_begin) *f) {
    return f(nullptr, uint32_t(pointers.size()), bases.data(), pointers.data(),
             sizes.data(), flags.data(), names.data());
  }
  xcc_status begin() { return call(xcc_data_begin); }
  xcc_status update() { return call(xcc_data_update); }
  xcc_status end() { return call(xcc_data_end); }
};
Ranges of(void *pointer, uint64_t size, uint32_t flag = 0,
          void *base = nullptr) {
  return std::move(Ranges().add(pointer, size, flag, base));
}

bool says(const char *words) {
  if (strstr(xcc_error_last(), words))
    return true;
  fprintf(stderr, "it says: %s\n", xcc_error_last());
  return false;
}

/// Launches with arguments that begin with an address.
template <class T>
xcc_status launchWith(xcc_kernel_info &k, uint32_t threads, const T &args) {
  xcc_launch_config c = config(1, threads);
  xcc_mapping *m = nullptr;
  xcc_status status = xcc_launch_begin(&k, &c, &args, sizeof(args), &m);
  if (status != XCC_SUCCESS || !m)
    return status;
  xcc_mapping_address(m, &args, XCC_ADDRESS_POINTER);
  return xcc_mapping_launch(m);
}

/// Adds one to four numbers, with what is mapped.
xcc_status increment(Unit &u, void *list) {
  return launchWith(u.kernel("increment", 8), 4, list);
}

} // namespace

#define DATA_TEST(name)                                                        \
  static void run##name();                                                     \
  TEST(Data, name) { inSeparateChild("2", run##name); }                        \
  static void run##name()

DATA_TEST(BeginUpdateEnd) {
  Unit u;
  uint32_t data[4] = {1, 2, 3, 4};
  ASSERT_EQ(of(data, 16).begin(), XCC_SUCCESS);
  ASSERT_EQ(increment(u, data), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(data[0], 1u);
  ASSERT_EQ(of(data, 8, XCC_MAP_OUT).update(), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(data[1], 3u);
  EXPECT_EQ(data[2], 3u) << "not asked for";
  data[0] = 10, data[3] = 40;
  ASSERT_EQ(of(data, 4, XCC_MAP_IN).update(), XCC_SUCCESS);
  ASSERT_EQ(increment(u, data), XCC_SUCCESS);
  ASSERT_EQ(of(data, 16).end(), XCC_SUCCESS);
  EXPECT_EQ(data[0], 11u);
  EXPECT_EQ(data[3], 6u);
}

DATA_TEST(IsCounted) {
  Unit u;
  uint32_t data[4] = {};
  ASSERT_EQ(of(data, 16).begin(), XCC_SUCCESS);
  ASSERT_EQ(of(data, 8).begin(), XCC_SUCCESS) << "a part of it";
  ASSERT_EQ(increment(u, data), XCC_SUCCESS);
  ASSERT_EQ(of(data, 16).end(), XCC_SUCCESS);
  EXPECT_EQ(data[0], 0u);
  ASSERT_EQ(of(data, 8).end(), XCC_SUCCESS);
  EXPECT_EQ(data[3], 1u);
  EXPECT_EQ(of(data, 16).end(), XCC_ERROR_INVALID_VALUE);
  EXPECT_TRUE(says("is not mapped"));
}

DATA_TEST(WaysThatAreStated) {
  Unit u;
  uint32_t in[4] = {1}, out[4] = {1}, kept[4] = {1};
  Ranges all;
  all.add(in, 16, XCC_MAP_IN)
      .add(out, 16, XCC_MAP_OUT)
      .add(kept, 16, XCC_MAP_KEEP);
  ASSERT_EQ(all.begin(), XCC_SUCCESS);
  for (auto *list : {in, out, kept})
    ASSERT_EQ(increment(u, list), XCC_SUCCESS) << xcc_error_last();
  ASSERT_EQ(all.end(), XCC_SUCCESS);
  EXPECT_EQ(in[0], 1u);
  EXPECT_EQ(kept[0], 1u);
}

/// An object that holds the address of another range, of this call or held.
DATA_TEST(BasesHoldAddresses) {
  Unit u;
  struct {
    uint32_t *list;
    uint32_t value;
  } args;
  uint32_t list[3] = {};
  struct Object {
    uint32_t *list;
    uint64_t more;
  } object{list, 1};
  ASSERT_EQ(of(list, 12).begin(), XCC_SUCCESS);
  ASSERT_EQ(of(&object, sizeof(object), 0, &object.list).begin(), XCC_SUCCESS)
      << xcc_error_last();
  args = {list, 9};
  ASSERT_EQ(launchWith(u.kernel("append", 16), 1, args), XCC_SUCCESS);
  // The object's scope holds the object alone.
  ASSERT_EQ(of(&object, sizeof(object)).end(), XCC_SUCCESS);
  EXPECT_EQ(object.list, list);
  EXPECT_EQ(list[0], 0u);
  ASSERT_EQ(of(list, 12).end(), XCC_SUCCESS);
  EXPECT_EQ(list[1], 9u);
  EXPECT_EQ(of(list, 12).end(), XCC_ERROR_INVALID_VALUE);
}

DATA_TEST(WrongArguments) {
  uint32_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  void *pointers[] = {data};
  uint64_t sizes[] = {16};
  for (auto *f : {xcc_data_begin, xcc_data_update, xcc_data_end}) {
    EXPECT_EQ(f(nullptr, 1, nullptr, nullptr, sizes, nullptr, nullptr),
              XCC_ERROR_INVALID_VALUE);
    EXPECT_TRUE(says("pointers or sizes is null"));
    EXPECT_EQ(f(nullptr, 1, nullptr, pointers, nullptr, nullptr, nullptr),
              XCC_ERROR_INVALID_VALUE);
    EXPECT_EQ(f(nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
              XCC_SUCCESS);
    EXPECT_EQ(of(nullptr, 16).call(f), XCC_ERROR_INVALID_VALUE);
    EXPECT_TRUE(says("pointers[0] is null"));
    EXPECT_EQ(of(data, 16, 0x1000).call(f), XCC_ERROR_INVALID_VALUE);
    EXPECT_TRUE(says("flags[0] is 0x1000"));
    EXPECT_EQ(of(data, 16, 0, data + 4).call(f), XCC_ERROR_INVALID_VALUE);
    EXPECT_TRUE(says("bases[0] is in none of the ranges"));
    EXPECT_EQ(of(data, UINT64_MAX - 8).call(f), XCC_ERROR_INVALID_VALUE);
    EXPECT_TRUE(says("reaches past the end of the address space"));
    // Of no bytes: nothing.
    EXPECT_EQ(of(data, 0).call(f), XCC_SUCCESS) << xcc_error_last();
    EXPECT_EQ(of(nullptr, 0).call(f), XCC_SUCCESS) << xcc_error_last();
  }
  EXPECT_EQ(of(data, 16).end(), XCC_ERROR_INVALID_VALUE);
  EXPECT_TRUE(says("'it' (16 bytes at "));
  EXPECT_EQ(of(data, 16, XCC_MAP_OUT).update(), XCC_ERROR_INVALID_VALUE);
  // Overlaps: within a call one range, with what is there an error.
  Ranges two;
  two.add(data, 16).add(data + 2, 16);
  ASSERT_EQ(two.begin(), XCC_SUCCESS);
  EXPECT_EQ(of(data + 4, 16).begin(), XCC_ERROR_INVALID_VALUE);
  EXPECT_TRUE(says("only a part is mapped"));
  EXPECT_EQ(of(data, 32).end(), XCC_ERROR_INVALID_VALUE);
  ASSERT_EQ(two.end(), XCC_SUCCESS);
  ASSERT_EQ(of(data + 4, 16).begin(), XCC_SUCCESS);
  ASSERT_EQ(of(data + 4, 16).end(), XCC_SUCCESS);
  EXPECT_EQ(data[7], 8u);
}

/// An xcc::map of the same is not what xcc_data_end ends.
DATA_TEST(OthersScopesStay) {
  Unit u;
  uint32_t data[4] = {};
  xcc_mapping *m = nullptr;
  xcc_scope *scope = nullptr;
  ASSERT_EQ(xcc_mapping_begin(nullptr, "s.cpp", 3, &m), XCC_SUCCESS);
  xcc_mapping_range(m, data, 16, 16, 0);
  ASSERT_EQ(xcc_mapping_hold(m, &scope), XCC_SUCCESS);
  EXPECT_EQ(of(data, 16).end(), XCC_ERROR_INVALID_VALUE);
  EXPECT_TRUE(says("is held by an xcc::map (s.cpp:3)"));
  ASSERT_EQ(of(data, 16).begin(), XCC_SUCCESS);
  ASSERT_EQ(of(data, 16).end(), XCC_SUCCESS);
  ASSERT_EQ(increment(u, data), XCC_SUCCESS);
  ASSERT_EQ(xcc_scope_end(scope), XCC_SUCCESS);
  EXPECT_EQ(data[0], 1u);
  // Of the wrong kind, or none.
  EXPECT_EQ(xcc_mapping_hold(nullptr, nullptr), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_mapping_update(nullptr, 0), XCC_ERROR_INVALID_VALUE);
  ASSERT_EQ(xcc_mapping_begin(nullptr, nullptr, 0, &m), XCC_SUCCESS);
  EXPECT_EQ(xcc_mapping_launch(m), XCC_ERROR_INVALID_VALUE);
  EXPECT_TRUE(says("is not a launch's"));
}

/// More than there is: nothing is mapped, and nothing was changed.
DATA_TEST(OutOfMemory) {
  Unit u;
  std::vector<uint32_t> data(5000, 3);
  Ranges all;
  all.add(data.data(), 20000)
      .add(reinterpret_cast<void *>(uintptr_t(1) << 46), uint64_t(1) << 46,
           XCC_MAP_KEEP);
  EXPECT_EQ(all.begin(), XCC_ERROR_OUT_OF_MEMORY) << xcc_error_last();
  EXPECT_EQ(of(data.data(), 20000).end(), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(increment(u, data.data()), XCC_ERROR_INVALID_VALUE);
  ASSERT_EQ(of(data.data(), 20000).begin(), XCC_SUCCESS);
  ASSERT_EQ(increment(u, data.data()), XCC_SUCCESS) << xcc_error_last();
  ASSERT_EQ(of(data.data(), 20000).end(), XCC_SUCCESS);
  EXPECT_EQ(data[3], 4u);
  EXPECT_EQ(data[4], 3u);
}

TEST(DataWithSharedMemory, NothingIsHeld) {
  Unit u;
  uint32_t data[4] = {};
  EXPECT_EQ(of(data, 16).end(), XCC_SUCCESS);
  EXPECT_EQ(of(data, 16).begin(), XCC_SUCCESS);
  EXPECT_EQ(increment(u, data), XCC_SUCCESS);
  EXPECT_EQ(of(data, 16, XCC_MAP_OUT).update(), XCC_SUCCESS);
  EXPECT_EQ(data[3], 1u);
  EXPECT_EQ(of(data, 16).end(), XCC_SUCCESS);
  EXPECT_EQ(of(data, 16, 0x1000).begin(), XCC_ERROR_INVALID_VALUE);
}
