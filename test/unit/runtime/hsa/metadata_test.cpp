// Columns of AMD kernels, and their arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa_unit.h"
#include "src/hsa/kernarg.h"

using namespace xcc::rt::hsa;
using namespace xcc::test;

static const char *parse(const std::string &Columns, uint32_t Explicit = 0) {
  KernelMetadata M;
  return parseMetadata(Columns, Explicit, M);
}

TEST(HsaMetadata, AllColumns) {
  KernelMetadata M;
  ASSERT_EQ(parseMetadata("kernarg_segment=280\tkernarg_align=8\twave=32\t"
                          "dynamic_stack=1\thidden=block_count_x:24:4,"
                          "grid_dims:88:2\tvgprs=40\tsgprs=18\tspills=2\t"
                          "later=x",
                          24, M),
            nullptr);
  EXPECT_EQ(M.KernargSegment, 280u);
  EXPECT_EQ(M.KernargAlign, 8u);
  EXPECT_EQ(M.Wave, 32u);
  EXPECT_TRUE(M.DynamicStack);
  EXPECT_EQ(M.Vgprs, 40u);
  EXPECT_EQ(M.Sgprs, 18u);
  EXPECT_EQ(M.Spills, 2u);
  ASSERT_EQ(M.HiddenCount, 2u);
  EXPECT_EQ(M.Hidden[0].Kind, HiddenKind::BlockCountX);
  EXPECT_EQ(M.Hidden[1].Offset, 88u);
  EXPECT_EQ(M.Hidden[1].Size, 2u);
  EXPECT_TRUE(M.has(HiddenKind::GridDims));
  EXPECT_FALSE(M.has(HiddenKind::HeapV1));
}

TEST(HsaMetadata, LenientWhereItMay) {
  EXPECT_EQ(parse(""), nullptr);
  EXPECT_EQ(parse("something"), nullptr);
  EXPECT_EQ(parse("hidden="), nullptr);
  // A kind of a later compiler stays zero.
  EXPECT_EQ(parse("kernarg_segment=16\thidden=new_thing:8:8"), nullptr);
}

TEST(HsaMetadata, Damage) {
  for (const char *Bad :
       {"kernarg_segment=", "kernarg_segment=x", "kernarg_segment=99999999999",
        "kernarg_segment=10000", "wave=-1", "hidden=heap_v1",
        "hidden=heap_v1:8", "hidden=heap_v1:8:3",
        "kernarg_segment=8\thidden=heap_v1:8:8",
        "kernarg_segment=8\thidden=heap_v1:4294967292:8",
        "kernarg_segment=8\tkernarg_align=3", "hidden=heap_v1:x:8"})
    EXPECT_NE(parse(Bad), nullptr) << Bad;
  EXPECT_NE(parse("kernarg_segment=8", 16), nullptr);
  // Implicit arguments do not lie on explicit ones.
  EXPECT_NE(parse("kernarg_segment=64\thidden=heap_v1:8:8", 16), nullptr);
  std::string Many = "kernarg_segment=4096\thidden=";
  for (int I = 0; I != 50; ++I)
    Many += "heap_v1:8:8,";
  EXPECT_NE(parse(Many), nullptr);
}

template <class T> static T at(const std::vector<char> &Bytes, size_t Offset) {
  T Value;
  memcpy(&Value, &Bytes[Offset], sizeof(T));
  return Value;
}

/// Every byte of the implicit arguments of code object versions 5 and 6.
TEST(HsaKernarg, AllImplicitArguments) {
  constexpr uint32_t Explicit = 24, Segment = Explicit + 256;
  KernelMetadata M;
  ASSERT_EQ(parseMetadata("kernarg_segment=280\t" + hiddenColumns(Explicit),
                          Explicit, M),
            nullptr);
  ASSERT_EQ(M.HiddenCount, 23u);
  uint32_t Grid[3] = {70000, 5, 3}, Block[3] = {64, 2, 4};
  AmdQueue Queue{};
  Queue.GroupApertureHigh = 0x11112222;
  Queue.PrivateApertureHigh = 0x33334444;
  char Heap, Hostcall;
  std::vector<char> Arguments(Explicit, 'a'), Bytes(Segment + 8, 'x');
  fillKernarg(Bytes.data(), Segment, Arguments.data(), Explicit, M.Hidden,
              M.HiddenCount, {Grid, Block, 4096, 3, &Queue, &Heap, &Hostcall});
  for (uint32_t I = 0; I != Explicit; ++I)
    EXPECT_EQ(Bytes[I], 'a');
  for (uint32_t I = Segment; I != Bytes.size(); ++I)
    EXPECT_EQ(Bytes[I], 'x') << "written past the segment";
  std::vector<char> Hidden(Bytes.begin() + Explicit, Bytes.begin() + Segment);
  EXPECT_EQ(at<uint32_t>(Hidden, 0), 70000u);
  EXPECT_EQ(at<uint32_t>(Hidden, 4), 5u);
  EXPECT_EQ(at<uint32_t>(Hidden, 8), 3u);
  EXPECT_EQ(at<uint16_t>(Hidden, 12), 64u);
  EXPECT_EQ(at<uint16_t>(Hidden, 14), 2u);
  EXPECT_EQ(at<uint16_t>(Hidden, 16), 4u);
  EXPECT_EQ(at<uint16_t>(Hidden, 64), 3u);
  EXPECT_EQ(at<void *>(Hidden, 80), &Hostcall);
  EXPECT_EQ(at<void *>(Hidden, 96), &Heap);
  EXPECT_EQ(at<uint32_t>(Hidden, 120), 4096u);
  EXPECT_EQ(at<uint32_t>(Hidden, 192), 0x33334444u);
  EXPECT_EQ(at<uint32_t>(Hidden, 196), 0x11112222u);
  EXPECT_EQ(at<void *>(Hidden, 200), &Queue);
  // All else is zero: remainders, offsets, and what is not offered.
  for (auto [From, To] : std::vector<std::pair<int, int>>{
           {18, 64}, {66, 80}, {88, 96}, {104, 120}, {124, 192}, {208, 256}})
    for (int I = From; I != To; ++I)
      EXPECT_EQ(Hidden[I], 0) << "at " << I;
}

TEST(HsaKernarg, OnlyWhatIsListed) {
  KernelMetadata M;
  ASSERT_EQ(parseMetadata("kernarg_segment=32\thidden=group_size_x:20:2", 4, M),
            nullptr);
  uint32_t Grid[3] = {9, 1, 1}, Block[3] = {77, 1, 1};
  uint32_t Argument = 0xdeadbeef;
  std::vector<char> Bytes(32, 'x');
  fillKernarg(Bytes.data(), 32, &Argument, 4, M.Hidden, M.HiddenCount,
              {Grid, Block, 0, 1, nullptr, nullptr, nullptr});
  std::vector<char> Expected(32, 0);
  memcpy(&Expected[0], &Argument, 4);
  Expected[20] = 77;
  EXPECT_EQ(Bytes, Expected);
}
