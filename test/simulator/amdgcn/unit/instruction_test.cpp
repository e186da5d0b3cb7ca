// What single instructions do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those about which documents are silent or wrong, and generations differ.

#include "lab.h"
#include "numbers.h"

#include <gtest/gtest.h>
#include <random>

using namespace amdgcn;

static uint32_t first(Lab &L, const std::string &Snippet) {
  EXPECT_TRUE(L.run(Snippet)) << L.Report;
  return L.Words[0];
}

TEST(Instructions, ConstantsMeanWhatTheOperandIs) {
  Lab L;
  // A double's literal is its upper half; an inline constant all of it.
  EXPECT_EQ(first(L, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0x3ff00000\n"
                     "v_add_f64 v[6:7], v[4:5], 1.0\nv_mov_b32 v2, v7"),
            0x40000000u);
  EXPECT_EQ(first(L, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
                     "s_mov_b64 s[6:7], 0xfffffff0\nv_mov_b32 v2, s7"),
            0u);
  EXPECT_EQ(first(L, "s_mov_b64 s[6:7], -16\nv_mov_b32 v2, s7"), ~0u);
}

TEST(Instructions, BackwardPermuteStaysInHalvesOnSome) {
  for (auto [Processor, From] :
       {std::pair("gfx90a", 63u), std::pair("gfx1030", 31u)}) {
    Lab L;
    L.Processor = Processor;
    L.Words[31] = 131;
    L.Words[63] = 163;
    EXPECT_EQ(first(L, "v_mov_b32 v4, 252\nds_bpermute_b32 v2, v4, v2"),
              100 + From);
  }
}

TEST(Instructions, BackwardPermuteOfAnInactiveLaneGivesZero) {
  Lab L;
  L.Words[5] = 7;
  EXPECT_EQ(first(L, "v_mov_b32 v4, 20\ns_mov_b64 exec, 1\n"
                     "ds_bpermute_b32 v2, v4, v2"),
            0u);
}

TEST(Instructions, CompareAndStoreHasItsValuesEitherWay) {
  const char *Setup = "v_mov_b32 v3, 0\nv_mov_b32 v4, 11\nv_mov_b32 v5, 22\n";
  Lab L;
  L.Threads = 1;
  EXPECT_EQ(first(L, std::string(Setup) +
                         "ds_write_b32 v3, v4\nds_cmpst_b32 v3, v4, v5\n"
                         "ds_read_b32 v2, v3"),
            22u);
  Lab New;
  New.Processor = "gfx1100";
  New.Lanes = 32;
  New.Threads = 1;
  EXPECT_EQ(first(New, std::string(Setup) +
                           "ds_store_b32 v3, v4\nds_cmpstore_b32 v3, v5, v4\n"
                           "ds_load_b32 v2, v3"),
            22u);
}

TEST(Instructions, SixteenBitResultsClearTheRestOnGfx9) {
  for (auto [Processor, Want] :
       {std::pair("gfx90a", 0x00000003u), std::pair("gfx1030", 0xffff0003u)}) {
    Lab L;
    L.Processor = Processor;
    EXPECT_EQ(
        first(L, std::string("v_mov_b32 v4, 1\nv_mov_b32 v2, -1\n") +
                     (L.Processor == "gfx90a" ? "v_add_u16 v2, v4, 2"
                                              : "v_add_nc_u16 v2, v4, 2")),
        Want);
  }
}

TEST(Instructions, HalvesOfAPairReadBeforeEitherWrites) {
  Lab L;
  L.Processor = "gfx1100";
  L.Lanes = 32;
  L.Threads = 32;
  EXPECT_EQ(first(L, "v_mov_b32 v4, 5\nv_mov_b32 v5, 9\n"
                     "v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4\n"
                     "v_lshl_or_b32 v2, v4, 8, v5"),
            0x0905u);
}

TEST(Instructions, RegistersByIndex) {
  const char *Setup = "v_mov_b32 v4, 4\nv_mov_b32 v5, 5\nv_mov_b32 v6, 6\n"
                      "s_mov_b32 s6, 2\n";
  Lab L;
  EXPECT_EQ(first(L, std::string(Setup) +
                         "s_set_gpr_idx_on s6, gpr_idx(SRC0)\n"
                         "v_mov_b32 v2, v4\ns_set_gpr_idx_off"),
            6u);
  Lab Other;
  Other.Processor = "gfx1030";
  EXPECT_EQ(first(Other, std::string(Setup) +
                             "s_mov_b32 m0, s6\nv_movrels_b32 v2, v4"),
            6u);
}

TEST(Instructions, MixedPrecisionReadsSinglesUnlessTold) {
  Lab L;
  EXPECT_EQ(first(L, "v_mov_b32 v4, 1.0\nv_mov_b32 v2, -1\n"
                     "v_fma_mixlo_f16 v2, v4, v4, v4"),
            0xffff4000u);
}

TEST(Instructions, QuotientsOfTheThreeStepsAreExact) {
  // The sequence that LLVM makes of a float division.
  const char *Divide = R"(
    global_load_dword v3, v1, s[2:3] offset:256
    v_div_scale_f32 v4, s[4:5], v3, v3, v2
    v_rcp_f32 v5, v4
    v_div_scale_f32 v6, vcc, v2, v3, v2
    v_fma_f32 v7, -v4, v5, 1.0
    v_fma_f32 v5, v7, v5, v5
    v_mul_f32 v7, v6, v5
    v_fma_f32 v8, -v4, v7, v6
    v_fma_f32 v7, v8, v5, v7
    v_fma_f32 v4, -v4, v7, v6
    v_div_fmas_f32 v4, v4, v5, v7
    v_div_fixup_f32 v2, v4, v3, v2)";
  std::mt19937 Any(1);
  for (int Round = 0; Round != 40; ++Round) {
    Lab L;
    std::vector<uint32_t> Num(64), Den(64);
    for (int I = 0; I != 64; ++I) {
      Num[I] = L.Words[I] = Any();
      Den[I] = L.Words[64 + I] = I % 8 ? Any() : Any() & 0x807fffff;
    }
    ASSERT_TRUE(L.run(Divide)) << L.Report;
    for (int I = 0; I != 64; ++I) {
      float Want = asFloat(Num[I]) / asFloat(Den[I]);
      if (std::isnan(Want))
        EXPECT_TRUE(std::isnan(asFloat(L.Words[I])));
      else
        EXPECT_EQ(L.Words[I], bitsOf(Want))
            << asFloat(Num[I]) << " / " << asFloat(Den[I]);
    }
  }
}

TEST(Numbers, HalvesRoundToEven) {
  for (uint32_t H = 0; H != 0x7c00; ++H) {
    EXPECT_EQ(halfFromDouble(floatFromHalf(uint16_t(H))), H);
    // Half-way to the next one.
    double Mid =
        (double(floatFromHalf(uint16_t(H))) +
         (H == 0x7bff ? 65536.0 : double(floatFromHalf(uint16_t(H + 1))))) /
        2;
    EXPECT_EQ(halfFromDouble(Mid), H + (H & 1));
  }
}
