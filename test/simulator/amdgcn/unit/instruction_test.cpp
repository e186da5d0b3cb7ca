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

static uint32_t first(Lab &l, const std::string &snippet) {
  EXPECT_TRUE(l.run(snippet)) << l.report;
  return l.words[0];
}

TEST(Instructions, ConstantsMeanWhatTheOperandIs) {
  Lab l;
  // A double's literal is its upper half; an inline constant all of it.
  EXPECT_EQ(first(l, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0x3ff00000\n"
                     "v_add_f64 v[6:7], v[4:5], 1.0\nv_mov_b32 v2, v7"),
            0x40000000u);
  EXPECT_EQ(first(l, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
                     "s_mov_b64 s[6:7], 0xfffffff0\nv_mov_b32 v2, s7"),
            0u);
  EXPECT_EQ(first(l, "s_mov_b64 s[6:7], -16\nv_mov_b32 v2, s7"), ~0u);
}

TEST(Instructions, BackwardPermuteStaysInHalvesOnSome) {
  for (auto [processor, from] :
       {std::pair("gfx90a", 63u), std::pair("gfx1030", 31u)}) {
    Lab l;
    l.processor = processor;
    l.words[31] = 131;
    l.words[63] = 163;
    EXPECT_EQ(first(l, "v_mov_b32 v4, 252\nds_bpermute_b32 v2, v4, v2"),
              100 + from);
  }
}

TEST(Instructions, BackwardPermuteOfAnInactiveLaneGivesZero) {
  Lab l;
  l.words[5] = 7;
  EXPECT_EQ(first(l, "v_mov_b32 v4, 20\ns_mov_b64 exec, 1\n"
                     "ds_bpermute_b32 v2, v4, v2"),
            0u);
}

TEST(Instructions, CompareAndStoreHasItsValuesEitherWay) {
  const char *setup = "v_mov_b32 v3, 0\nv_mov_b32 v4, 11\nv_mov_b32 v5, 22\n";
  Lab l;
  l.threads = 1;
  EXPECT_EQ(first(l, std::string(setup) +
                         "ds_write_b32 v3, v4\nds_cmpst_b32 v3, v4, v5\n"
                         "ds_read_b32 v2, v3"),
            22u);
  Lab newer;
  newer.processor = "gfx1100";
  newer.lanes = 32;
  newer.threads = 1;
  EXPECT_EQ(first(newer, std::string(setup) +
                             "ds_store_b32 v3, v4\nds_cmpstore_b32 v3, v5, v4\n"
                             "ds_load_b32 v2, v3"),
            22u);
}

TEST(Instructions, SixteenBitResultsClearTheRestOnGfx9) {
  for (auto [processor, want] :
       {std::pair("gfx90a", 0x00000003u), std::pair("gfx1030", 0xffff0003u)}) {
    Lab l;
    l.processor = processor;
    EXPECT_EQ(
        first(l, std::string("v_mov_b32 v4, 1\nv_mov_b32 v2, -1\n") +
                     (l.processor == "gfx90a" ? "v_add_u16 v2, v4, 2"
                                              : "v_add_nc_u16 v2, v4, 2")),
        want);
  }
}

TEST(Instructions, HalvesOfAPairReadBeforeEitherWrites) {
  Lab l;
  l.processor = "gfx1100";
  l.lanes = 32;
  l.threads = 32;
  EXPECT_EQ(first(l, "v_mov_b32 v4, 5\nv_mov_b32 v5, 9\n"
                     "v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4\n"
                     "v_lshl_or_b32 v2, v4, 8, v5"),
            0x0905u);
}

TEST(Instructions, RegistersByIndex) {
  const char *setup = "v_mov_b32 v4, 4\nv_mov_b32 v5, 5\nv_mov_b32 v6, 6\n"
                      "s_mov_b32 s6, 2\n";
  Lab l;
  EXPECT_EQ(first(l, std::string(setup) +
                         "s_set_gpr_idx_on s6, gpr_idx(SRC0)\n"
                         "v_mov_b32 v2, v4\ns_set_gpr_idx_off"),
            6u);
  Lab other;
  other.processor = "gfx1030";
  EXPECT_EQ(first(other, std::string(setup) +
                             "s_mov_b32 m0, s6\nv_movrels_b32 v2, v4"),
            6u);
}

TEST(Instructions, MixedPrecisionReadsSinglesUnlessTold) {
  Lab l;
  EXPECT_EQ(first(l, "v_mov_b32 v4, 1.0\nv_mov_b32 v2, -1\n"
                     "v_fma_mixlo_f16 v2, v4, v4, v4"),
            0xffff4000u);
}

TEST(Instructions, QuotientsOfTheThreeStepsAreExact) {
  // The sequence that LLVM makes of a float division.
  const char *divide = R"(
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
  std::mt19937 any(1);
  for (int round = 0; round != 40; ++round) {
    Lab l;
    std::vector<uint32_t> num(64), den(64);
    for (int i = 0; i != 64; ++i) {
      num[i] = l.words[i] = any();
      den[i] = l.words[64 + i] = i % 8 ? any() : any() & 0x807fffff;
    }
    ASSERT_TRUE(l.run(divide)) << l.report;
    for (int i = 0; i != 64; ++i) {
      float want = asFloat(num[i]) / asFloat(den[i]);
      if (std::isnan(want))
        EXPECT_TRUE(std::isnan(asFloat(l.words[i])));
      else
        EXPECT_EQ(l.words[i], bitsOf(want))
            << asFloat(num[i]) << " / " << asFloat(den[i]);
    }
  }
}

TEST(Instructions, ThatFewProgramsHave) {
  struct Case {
    const char *processor, *snippet;
    uint32_t gives;
  };
  static constexpr char Single[] = "v_mov_b32 v4, 0x40200000\n"  // 2.5
                                   "v_mov_b32 v5, 0xc7c35000\n"  // -100000
                                   "v_mov_b32 v6, 0x7fc00000\n"; // NaN
  static constexpr char Half[] = "v_mov_b32 v4, 0x4200c100\n"    // 3, -2.5
                                 "v_mov_b32 v5, 0x3c004000\n"    // 1, 2
                                 "v_mov_b32 v6, 0x7e003c00\n";   // NaN, 1
  const Case cases[] = {
      {"gfx1100", "v_cvt_pk_u16_f32 v2, v4, v5", 2},
      {"gfx1100", "v_cvt_pk_i16_f32 v2, v4, v5", 0x80000002},
      {"gfx950", "v_cvt_pk_f16_f32 v2, v4, v6", 0x7e004100},
      {"gfx90a", "v_cvt_pknorm_i16_f32 v2, v5, v4", 0x7fff8001},
      {"gfx1201", "v_minimum_f32 v2, v4, v6", 0x7fc00000},
      {"gfx1201", "v_min_num_f32 v2, v4, v6", 0x40200000},
      {"gfx1201", "v_maximumminimum_f32 v2, v4, v5, v4", 0x40200000},
      {"gfx950", "v_maximum3_f32 v2, v4, v5, v4", 0x40200000},
      {"gfx1100",
       "h v_max3_f16 v2, v4, v5, v6\n"
       "v_and_b32 v2, 0xffff, v2",
       0x4000},
      {"gfx90a", "h v_med3_f16 v2, v4, v5, v6", 0x3c00},
      {"gfx1201", "h v_pk_minimum_f16 v2, v5, v6", 0x7e003c00},
      {"gfx90a", "h v_mov_b32 v2, 1.0\nv_dot2_f32_f16 v2, v4, v5, v2",
       0xbf800000}, // -5 + 3 + 1
      {"gfx90a", "h v_mov_b32 v2, 1.0\nv_dot2c_f32_f16 v2, v4, v5", 0xbf800000},
      {"gfx1100",
       "v_mov_b32 v4, 0x8f\nv_mov_b32 v5, 0x21\n"
       "v_dot8_u32_u4 v2, v4, v5, 1",
       32},
      {"gfx90a",
       "v_mov_b32 v4, 0x8f\nv_mov_b32 v5, 0x21\n"
       "v_dot8_i32_i4 v2, v4, v5, 1",
       0xfffffff0},
      {"gfx1100",
       "v_mov_b32 v4, 0x01000007\nv_sat_pk_u8_i16 v4.l, v4\n"
       "v_and_b32 v2, 0xffff, v4",
       0xff07},
      {"gfx1100", "h v_swap_b16 v4.h, v5.l\nv_mov_b32 v2, v4", 0x4000c100},
      {"gfx1201",
       "s_mov_b32 s6, 0x4200\ns_mov_b32 s7, 0x3c00\n"
       "s_add_f16 s6, s6, s7\nv_mov_b32 v2, s6",
       0x4400},
      {"gfx1201",
       "s_mov_b32 s6, 0x4400\nv_s_sqrt_f16 s6, s6\n"
       "v_mov_b32 v2, s6",
       0x4000},
      {"gfx1100",
       "s_mov_b32 s9, 5\ns_mov_b32 m0, 2\n"
       "s_movrels_b32 s6, s7\ns_movreld_b32 s8, s6\n"
       "v_mov_b32 v2, s10",
       5},
  };
  for (const Case &c : cases) {
    Lab l;
    l.processor = c.processor;
    const std::string snippet = c.snippet;
    const bool half = snippet.starts_with("h ");
    EXPECT_EQ(first(l, (half ? Half : Single) + snippet.substr(half ? 2 : 0)),
              c.gives)
        << c.processor << " " << c.snippet;
  }
}

TEST(Numbers, HalvesRoundToEven) {
  for (uint32_t h = 0; h != 0x7c00; ++h) {
    EXPECT_EQ(halfFromDouble(floatFromHalf(uint16_t(h))), h);
    // Half-way to the next one.
    double mid =
        (double(floatFromHalf(uint16_t(h))) +
         (h == 0x7bff ? 65536.0 : double(floatFromHalf(uint16_t(h + 1))))) /
        2;
    EXPECT_EQ(halfFromDouble(mid), h + (h & 1));
  }
}
