// Columns of AMD kernels, and their arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa/image/kernarg.h"
#include "hsa_unit.h"

using namespace xcc::rt::hsa;
using namespace xcc::test;

static const char *parse(const std::string &columns,
                         uint32_t explicitSize = 0) {
  KernelMetadata m;
  return parseMetadata(columns, explicitSize, m);
}

TEST(HsaMetadata, AllColumns) {
  KernelMetadata m;
  ASSERT_EQ(parseMetadata("kernarg_segment=280\tkernarg_align=8\twave=32\t"
                          "dynamic_stack=1\thidden=block_count_x:24:4,"
                          "grid_dims:88:2\tvgprs=40\tsgprs=18\tspills=2\t"
                          "later=x",
                          24, m),
            nullptr);
  EXPECT_EQ(m.kernargSegment, 280u);
  EXPECT_EQ(m.kernargAlign, 8u);
  EXPECT_EQ(m.wave, 32u);
  EXPECT_TRUE(m.dynamicStack);
  EXPECT_EQ(m.vgprs, 40u);
  EXPECT_EQ(m.sgprs, 18u);
  EXPECT_EQ(m.spills, 2u);
  ASSERT_EQ(m.hiddenCount, 2u);
  EXPECT_EQ(m.hidden[0].kind, HiddenKind::BlockCountX);
  EXPECT_EQ(m.hidden[1].offset, 88u);
  EXPECT_EQ(m.hidden[1].size, 2u);
  EXPECT_TRUE(m.has(HiddenKind::GridDims));
  EXPECT_FALSE(m.has(HiddenKind::HeapV1));
}

TEST(HsaMetadata, LenientWhereItMay) {
  EXPECT_EQ(parse(""), nullptr);
  EXPECT_EQ(parse("something"), nullptr);
  EXPECT_EQ(parse("hidden="), nullptr);
  // A kind of a later compiler stays zero.
  EXPECT_EQ(parse("kernarg_segment=16\thidden=new_thing:8:8"), nullptr);
}

TEST(HsaMetadata, Damage) {
  for (const char *bad :
       {"kernarg_segment=", "kernarg_segment=x", "kernarg_segment=99999999999",
        "kernarg_segment=10000000", "wave=-1", "hidden=heap_v1",
        "hidden=heap_v1:8", "hidden=heap_v1:8:3",
        "kernarg_segment=8\thidden=heap_v1:8:8",
        "kernarg_segment=8\thidden=heap_v1:4294967292:8",
        "kernarg_segment=8\tkernarg_align=3", "hidden=heap_v1:x:8"})
    EXPECT_NE(parse(bad), nullptr) << bad;
  EXPECT_NE(parse("kernarg_segment=8", 16), nullptr);
  // Implicit arguments do not lie on explicit ones.
  EXPECT_NE(parse("kernarg_segment=64\thidden=heap_v1:8:8", 16), nullptr);
  std::string many = "kernarg_segment=4096\thidden=";
  for (int i = 0; i != 50; ++i)
    many += "heap_v1:8:8,";
  EXPECT_NE(parse(many), nullptr);
}

template <class T> static T at(const std::vector<char> &bytes, size_t offset) {
  T value;
  memcpy(&value, &bytes[offset], sizeof(T));
  return value;
}

/// Every byte of the implicit arguments of code object versions 5 and 6.
TEST(HsaKernarg, AllImplicitArguments) {
  constexpr uint32_t explicitSize = 24, segment = explicitSize + 256;
  KernelMetadata m;
  ASSERT_EQ(parseMetadata("kernarg_segment=280\t" + hiddenColumns(explicitSize),
                          explicitSize, m),
            nullptr);
  ASSERT_EQ(m.hiddenCount, 23u);
  uint32_t grid[3] = {70000, 5, 3}, block[3] = {64, 2, 4};
  AmdQueue queue{};
  queue.groupApertureHigh = 0x11112222;
  queue.privateApertureHigh = 0x33334444;
  char heap, hostcall;
  std::vector<char> arguments(explicitSize, 'a'), bytes(segment + 8, 'x');
  fillKernarg(bytes.data(), segment, arguments.data(), explicitSize, m.hidden,
              m.hiddenCount, {grid, block, 4096, 3, &queue, &heap, &hostcall});
  for (uint32_t i = 0; i != explicitSize; ++i)
    EXPECT_EQ(bytes[i], 'a');
  for (uint32_t i = segment; i != bytes.size(); ++i)
    EXPECT_EQ(bytes[i], 'x') << "written past the segment";
  std::vector<char> hidden(bytes.begin() + explicitSize,
                           bytes.begin() + segment);
  EXPECT_EQ(at<uint32_t>(hidden, 0), 70000u);
  EXPECT_EQ(at<uint32_t>(hidden, 4), 5u);
  EXPECT_EQ(at<uint32_t>(hidden, 8), 3u);
  EXPECT_EQ(at<uint16_t>(hidden, 12), 64u);
  EXPECT_EQ(at<uint16_t>(hidden, 14), 2u);
  EXPECT_EQ(at<uint16_t>(hidden, 16), 4u);
  EXPECT_EQ(at<uint16_t>(hidden, 64), 3u);
  EXPECT_EQ(at<void *>(hidden, 80), &hostcall);
  EXPECT_EQ(at<void *>(hidden, 96), &heap);
  EXPECT_EQ(at<uint32_t>(hidden, 120), 4096u);
  EXPECT_EQ(at<uint32_t>(hidden, 192), 0x33334444u);
  EXPECT_EQ(at<uint32_t>(hidden, 196), 0x11112222u);
  EXPECT_EQ(at<void *>(hidden, 200), &queue);
  // All else is zero: remainders, offsets, and what is not offered.
  for (auto [from, to] : std::vector<std::pair<int, int>>{
           {18, 64}, {66, 80}, {88, 96}, {104, 120}, {124, 192}, {208, 256}})
    for (int i = from; i != to; ++i)
      EXPECT_EQ(hidden[i], 0) << "at " << i;
}

TEST(HsaKernarg, OnlyWhatIsListed) {
  KernelMetadata m;
  ASSERT_EQ(parseMetadata("kernarg_segment=32\thidden=group_size_x:20:2", 4, m),
            nullptr);
  uint32_t grid[3] = {9, 1, 1}, block[3] = {77, 1, 1};
  uint32_t argument = 0xdeadbeef;
  std::vector<char> bytes(32, 'x');
  fillKernarg(bytes.data(), 32, &argument, 4, m.hidden, m.hiddenCount,
              {grid, block, 0, 1, nullptr, nullptr, nullptr});
  std::vector<char> expected(32, 0);
  memcpy(&expected[0], &argument, 4);
  expected[20] = 77;
  EXPECT_EQ(bytes, expected);
}
