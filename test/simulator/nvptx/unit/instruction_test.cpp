// What single instructions give
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corners of the PTX ISA, with its own words for what is right.

#include "support.h"

#include <cmath>

using namespace test;

namespace {
constexpr uint64_t Min32 = 0x80000000, Max32 = 0x7fffffff, Ones = 0xffffffff;
constexpr uint64_t NaN32 = 0x7fffffff;

TEST_F(Simulator, AddsWithCarry) {
  EXPECT_EQ(eval32("add.s32 %d, %a, %b;", {Max32, 1}), Min32);
  EXPECT_EQ(eval32("add.sat.s32 %d, %a, %b;", {Max32, 1}), Max32);
  EXPECT_EQ(eval32("sub.sat.s32 %d, %a, %b;", {Min32, 1}), Min32);
  EXPECT_EQ(eval32("add.cc.u32 %d, %a, %a; addc.u32 %d, %b, %b;", {Ones, 3}),
            7u);
  EXPECT_EQ(eval32("sub.cc.u32 %d, %b, %a; subc.u32 %d, %a, %b;", {5, 3}), 1u);
  EXPECT_EQ(eval32("mad.lo.cc.u32 %d, %a, %b, %a; madc.hi.u32 %d, %a, %b, 0;",
                   {Ones, 2}),
            2u);
}

TEST_F(Simulator, Multiplies) {
  EXPECT_EQ(eval32("mul.lo.s32 %d, %a, %b;", {Min32, 3}), Min32);
  EXPECT_EQ(eval32("mul.hi.s32 %d, %a, %b;", {Min32, 2}), Ones);
  EXPECT_EQ(eval32("mul.hi.u32 %d, %a, %b;", {Min32, 2}), 1u);
  EXPECT_EQ(eval("mul.hi.u64 %d, %a, %b;", {"b64", "b64", "b64"},
                 {~uint64_t(0), ~uint64_t(0)}),
            ~uint64_t(1));
  EXPECT_EQ(eval("mul.hi.s64 %d, %a, %b;", {"b64", "b64", "b64"},
                 {~uint64_t(0), ~uint64_t(0)}),
            0u);
  EXPECT_EQ(eval("mul.wide.s32 %d, %a, %b;", {"b64", "b32", "b32"}, {Ones, 3}),
            uint64_t(-3));
  EXPECT_EQ(eval("mad.wide.u32 %d, %a, %b, %c;", {"b64", "b32", "b32", "b64"},
                 {Ones, 2, 5}),
            0x200000003u);
  EXPECT_EQ(eval32("mad.hi.s32 %d, %a, %b, %c;", {Max32, 4, 10}), 11u);
}

TEST_F(Simulator, DividesByZeroWithoutAFault) {
  EXPECT_EQ(eval32("div.u32 %d, %a, %b;", {7, 0}), Ones);
  EXPECT_EQ(eval32("rem.u32 %d, %a, %b;", {7, 0}), 7u);
  EXPECT_EQ(eval32("div.s32 %d, %a, %b;", {Min32, Ones}), Min32);
  EXPECT_EQ(eval32("rem.s32 %d, %a, %b;", {Min32, Ones}), 0u);
  EXPECT_EQ(eval32("div.s32 %d, %a, %b;", {uint32_t(-7), 2}), uint32_t(-3));
  EXPECT_EQ(eval32("rem.s32 %d, %a, %b;", {uint32_t(-7), 2}), Ones);
}

TEST_F(Simulator, ShiftsByMoreThanTheWidth) {
  EXPECT_EQ(eval32("shl.b32 %d, %a, %b;", {Ones, 32}), 0u);
  EXPECT_EQ(eval32("shl.b32 %d, %a, %b;", {1, 31}), Min32);
  EXPECT_EQ(eval32("shr.u32 %d, %a, %b;", {Ones, 32}), 0u);
  EXPECT_EQ(eval32("shr.s32 %d, %a, %b;", {Min32, 100}), Ones);
  EXPECT_EQ(eval("shl.b64 %d, %a, %b;", {"b64", "b64", "b32"}, {1, 64}), 0u);
  EXPECT_EQ(eval("shr.s64 %d, %a, %b;", {"b64", "b64", "b32"},
                 {uint64_t(1) << 63, 64}),
            ~uint64_t(0));
  EXPECT_EQ(eval32("shf.l.wrap.b32 %d, %a, %b, %c;", {0x80000000, 1, 33}), 3u);
  EXPECT_EQ(eval32("shf.l.clamp.b32 %d, %a, %b, %c;", {0x1234, 1, 40}),
            0x1234u);
  EXPECT_EQ(eval32("shf.r.wrap.b32 %d, %a, %b, %c;", {2, 1, 1}), 0x80000001u);
  EXPECT_EQ(eval32("shf.r.clamp.b32 %d, %a, %b, %c;", {2, 77, 32}), 77u);
}

TEST_F(Simulator, ExtractsAndInsertsBits) {
  EXPECT_EQ(eval32("bfe.u32 %d, %a, %b, %c;", {0xabcd1234, 8, 8}), 0x12u);
  EXPECT_EQ(eval32("bfe.s32 %d, %a, %b, %c;", {0xf00, 8, 4}), Ones);
  EXPECT_EQ(eval32("bfe.u32 %d, %a, %b, %c;", {Ones, 40, 8}), 0u);
  EXPECT_EQ(eval32("bfe.s32 %d, %a, %b, %c;", {Min32, 28, 20}), 0xfffffff8u);
  EXPECT_EQ(eval32("bfe.u32 %d, %a, %b, %c;", {Ones, 0, 0}), 0u);
  EXPECT_EQ(eval32("bfi.b32 %d, %a, %b, 8, 4;", {5, 0xffffffff}), 0xfffff5ffu);
  EXPECT_EQ(eval32("bfi.b32 %d, %a, %b, 30, 8;", {0, 0xffffffff}), 0x3fffffffu);
  EXPECT_EQ(eval32("brev.b32 %d, %a;", {1}), Min32);
  EXPECT_EQ(eval32("clz.b32 %d, %a;", {0}), 32u);
  EXPECT_EQ(eval("popc.b64 %d, %a;", {"b32", "b64"}, {~uint64_t(0)}), 64u);
  EXPECT_EQ(eval32("bfind.u32 %d, %a;", {0}), Ones);
  EXPECT_EQ(eval32("bfind.s32 %d, %a;", {uint32_t(-5)}), 2u);
  EXPECT_EQ(eval32("bfind.shiftamt.u32 %d, %a;", {1}), 31u);
  EXPECT_EQ(eval32("lop3.b32 %d, %a, %b, %c, 0x96;", {12, 10, 1}), 7u);
}

TEST_F(Simulator, PermutesBytes) {
  EXPECT_EQ(eval32("prmt.b32 %d, %a, %b, 0x7531;", {0x33221100, 0x77665544}),
            0x77553311u);
  // The sign of a byte.
  EXPECT_EQ(eval32("prmt.b32 %d, %a, %b, 0x8888;", {0x80, 0}), Ones);
  EXPECT_EQ(eval32("prmt.b32.f4e %d, %a, %b, 1;", {0x33221100, 0x77665544}),
            0x44332211u);
  EXPECT_EQ(eval32("prmt.b32.b4e %d, %a, %b, 0;", {0x33221100, 0x77665544}),
            0x55667700u);
  EXPECT_EQ(eval32("prmt.b32.rc8 %d, %a, %b, 2;", {0x33221100, 0}),
            0x22222222u);
  EXPECT_EQ(eval32("prmt.b32.rc16 %d, %a, %b, 1;", {0x33221100, 0}),
            0x33223322u);
}

TEST_F(Simulator, RoundsAsItIsTold) {
  uint64_t third = f32(1.0f), three = f32(3.0f);
  EXPECT_EQ(eval32("div.rn.f32 %d, %a, %b;", {third, three}), 0x3eaaaaabu);
  EXPECT_EQ(eval32("div.rz.f32 %d, %a, %b;", {third, three}), 0x3eaaaaaau);
  EXPECT_EQ(eval32("div.rp.f32 %d, %a, %b;", {third, three}), 0x3eaaaaabu);
  EXPECT_EQ(eval32("add.rm.f32 %d, %a, %b;", {f32(1), f32(-0x1p-30f)}),
            0x3f7fffffu);
  EXPECT_EQ(eval32("add.rn.f32 %d, %a, %b;", {f32(1), f32(-0x1p-30f)}), f32(1));
  EXPECT_EQ(eval32("mul.rp.f32 %d, %a, %b;", {f32(0x1p-100f), f32(0x1p-100f)}),
            1u);
  EXPECT_EQ(eval32("fma.rn.f32 %d, %a, %b, %c;",
                   {f32(1 + 0x1p-12f), f32(1 + 0x1p-12f), f32(-1)}),
            f32(std::fma(1 + 0x1p-12f, 1 + 0x1p-12f, -1.0f)));
  EXPECT_EQ(eval("sqrt.rz.f64 %d, %a;", {"b64", "b64"}, {f64(2)}),
            f64(std::sqrt(2.0)) - 1);
  EXPECT_EQ(eval32("add.sat.f32 %d, %a, %b;", {f32(3), f32(4)}), f32(1));
  EXPECT_EQ(eval32("add.sat.f32 %d, %a, %b;", {NaN32, f32(4)}), 0u);
  EXPECT_EQ(eval32("add.ftz.f32 %d, %a, %b;", {1, 0x80000001}), 0u);
  EXPECT_EQ(eval32("add.f32 %d, %a, %b;", {f32(INFINITY), f32(-INFINITY)}),
            NaN32);
}

// As GPUs, where PTX promises nothing.
TEST_F(Simulator, LosesTheSignOfNaN) {
  auto half = [&](const char *instruction, uint64_t v) {
    return eval(instruction, {"b16", "b16"}, {v}) & 0xffff;
  };
  EXPECT_EQ(eval32("neg.f32 %d, %a;", {f32(2)}), f32(-2));
  EXPECT_EQ(eval32("neg.f32 %d, %a;", {0x7fc00000}) >> 31, 0u);
  EXPECT_EQ(eval32("neg.f32 %d, %a;", {0xffc00000}) >> 31, 1u);
  EXPECT_EQ(eval32("abs.f32 %d, %a;", {0x7fc00000}) >> 31, 1u);
  EXPECT_EQ(eval("abs.f64 %d, %a;", {"b64", "b64"}, {f64(-2)}), f64(2));
  EXPECT_EQ(eval("neg.f64 %d, %a;", {"b64", "b64"}, {f64(NAN)}) >> 63, 0u);
  EXPECT_EQ(half("neg.f16 %d, %a;", 0x3c00), 0xbc00u);
  EXPECT_EQ(half("neg.f16 %d, %a;", 0x7e00), 0x7fffu);
  EXPECT_EQ(half("abs.bf16 %d, %a;", 0x7fc0), 0xffffu);
  EXPECT_EQ(eval32("xor.b32 %d, %a, %b;", {0x7fc00000, Min32}), 0xffc00000u);
}

// As ptxas, which takes a register for what it was last written as.
TEST_F(Simulator, ConvertsNumbersThatAreStoredInPart) {
  const char *five = "mov.f64 %rd1, 0d4014000000000000;"
                     "add.rn.f64 %rd2, %rd1, %rd1;";
  auto low = [&](const std::string &stores) {
    Address a = words(2, 0);
    EXPECT_EQ(run(kernel(five + stores), 1, 1, {a}), Success) << said;
    return read(a, 1)[0];
  };
  EXPECT_EQ(low("st.global.b8 [%out], %rd2;"), 10u);
  EXPECT_EQ(low("st.global.b32 [%out], %rd2;"), 10u);
  EXPECT_EQ(low("st.global.v2.b16 [%out], {%rd2, %rd1};"), 0x0005000au);
  EXPECT_EQ(low("mul.rn.f64 %rd2, %rd2, %rd2; mul.rn.f64 %rd2, %rd2, %rd2;"
                "st.global.b8 [%out], %rd2;"),
            255u);
  EXPECT_EQ(low("cvt.rn.f32.f64 %r1, %rd2; st.global.b8 [%out], %r1;"), 10u);
  EXPECT_EQ(low("cvt.rn.f16.f64 %rs1, %rd2; st.global.b8 [%out], %rs1;"), 10u);
  // Not those of integers, of copies, of all bits.
  EXPECT_EQ(low("mov.b64 %rd3, %rd2; st.global.b8 [%out], %rd3;"), 0u);
  EXPECT_EQ(low("{ .reg .u64 %n0; mov.b64 %n0, %rd2;"
                " st.global.b8 [%out], %n0; }"),
            0u);
  EXPECT_EQ(low("cvt.rn.f32.f64 %r1, %rd2; st.global.b32 [%out], %r1;"),
            f32(10));
  EXPECT_EQ(low("cvt.rzi.u32.f64 %r1, %rd2; st.global.b8 [%out], %r1;"), 10u);
}

TEST_F(Simulator, TakesTheLeastAndTheMost) {
  EXPECT_EQ(eval32("min.f32 %d, %a, %b;", {NaN32, f32(2)}), f32(2));
  EXPECT_EQ(eval32("max.f32 %d, %a, %b;", {f32(2), NaN32}), f32(2));
  EXPECT_EQ(eval32("min.f32 %d, %a, %b;", {NaN32, 0xffc00000}), NaN32);
  EXPECT_EQ(eval32("max.NaN.f32 %d, %a, %b;", {f32(2), 0x7fc00000}), NaN32);
  EXPECT_EQ(eval32("min.f32 %d, %a, %b;", {0, Min32}), Min32);
  EXPECT_EQ(eval32("max.f32 %d, %a, %b;", {Min32, 0}), 0u);
  EXPECT_EQ(eval32("min.s32 %d, %a, %b;", {Ones, 1}), Ones);
  EXPECT_EQ(eval32("min.u32 %d, %a, %b;", {Ones, 1}), 1u);
}

TEST_F(Simulator, ComparesWithNaN) {
  const char *select = " selp.b32 %d, 1, 0, %p1;";
  auto holds = [&](const std::string &how, uint64_t a, uint64_t b) {
    return eval32("setp." + how + ".f32 %p1, %a, %b;" + select, {a, b});
  };
  EXPECT_EQ(holds("lt", NaN32, f32(1)), 0u);
  EXPECT_EQ(holds("ltu", NaN32, f32(1)), 1u);
  EXPECT_EQ(holds("ne", NaN32, NaN32), 0u);
  EXPECT_EQ(holds("neu", NaN32, NaN32), 1u);
  EXPECT_EQ(holds("num", f32(1), f32(2)), 1u);
  EXPECT_EQ(holds("nan", f32(1), NaN32), 1u);
  EXPECT_EQ(holds("eq", 0, Min32), 1u);
  EXPECT_EQ(eval32("mov.pred %p3, 0; setp.lt.and.s32 %p1|%p2, %a, %b, !%p3;"
                   " selp.b32 %d, 1, 0, %p2;",
                   {5, 3}),
            1u);
}

TEST_F(Simulator, ConvertsAndSaturates) {
  auto toInt = [&](const std::string &how, float v) {
    return eval32("cvt." + how + ".f32 %d, %a;", {f32(v)});
  };
  EXPECT_EQ(toInt("rzi.s32", 3e9f), Max32);
  EXPECT_EQ(toInt("rzi.s32", -3e9f), Min32);
  EXPECT_EQ(toInt("rzi.u32", -1.5f), 0u);
  EXPECT_EQ(toInt("rzi.s32", NAN), 0u);
  EXPECT_EQ(toInt("rni.s32", 2.5f), 2u);
  EXPECT_EQ(toInt("rni.s32", 3.5f), 4u);
  EXPECT_EQ(toInt("rmi.s32", -2.5f), uint32_t(-3));
  EXPECT_EQ(toInt("rpi.s32", -2.5f), uint32_t(-2));
  EXPECT_EQ(eval("cvt.rzi.s64.f32 %d, %a;", {"b64", "b32"}, {f32(NAN)}),
            uint64_t(1) << 63);
  EXPECT_EQ(eval("cvt.rzi.s32.f64 %d, %a;", {"b32", "b64"}, {f64(NAN)}), Min32);
  EXPECT_EQ(eval("cvt.rzi.u64.f64 %d, %a;", {"b64", "b64"}, {f64(1e30)}),
            ~uint64_t(0));
  EXPECT_EQ(eval32("cvt.sat.s8.s32 %d, %a;", {300}), 127u);
  EXPECT_EQ(eval32("cvt.s32.s8 %d, %a;", {0x180}), 0xffffff80u);
  EXPECT_EQ(eval32("cvt.u32.u8 %d, %a;", {0x180}), 0x80u);
  EXPECT_EQ(
      eval("cvt.rn.f32.u64 %d, %a;", {"b32", "b64"}, {0xffffff8000000000}),
      f32(0x1p64f));
  EXPECT_EQ(
      eval("cvt.rz.f32.u64 %d, %a;", {"b32", "b64"}, {0xffffff8000000000}),
      f32(0x1.fffffep63f));
  EXPECT_EQ(eval("cvt.rn.f32.f64 %d, %a;", {"b32", "b64"}, {f64(1e-46)}), 0u);
  EXPECT_EQ(eval("cvt.rp.f32.f64 %d, %a;", {"b32", "b64"}, {f64(1e-46)}), 1u);
}

TEST_F(Simulator, KnowsShortFormats) {
  auto half = [&](float v) {
    return eval("cvt.rn.f16.f32 %d, %a;", {"b16", "b32"}, {f32(v)}) & 0xffff;
  };
  EXPECT_EQ(half(1.0f), 0x3c00u);
  EXPECT_EQ(half(65504.0f), 0x7bffu);
  EXPECT_EQ(half(65520.0f), 0x7c00u);
  EXPECT_EQ(half(0x1p-24f), 1u);
  EXPECT_EQ(half(0x1p-25f), 0u);
  EXPECT_EQ(half(-0x1.8p-25f), 0x8001u);
  EXPECT_EQ(half(1 + 0x1p-11f), 0x3c00u); // to even
  EXPECT_EQ(eval("cvt.f32.f16 %d, %a;", {"b32", "b16"}, {0x0001}),
            f32(0x1p-24f));
  EXPECT_EQ(
      eval("add.f16 %d, %a, %b;", {"b16", "b16", "b16"}, {0x3c00, 0x3c00}) &
          0xffff,
      0x4000u);
  EXPECT_EQ(eval32("add.f16x2 %d, %a, %b;", {0x3c004000, 0x3c003c00}),
            0x40004200u);
  EXPECT_EQ(eval32("fma.rn.f16x2 %d, %a, %b, %c;",
                   {0x3c014000, 0x3c013c00, 0xbc000000}),
            0x18004000u);
  EXPECT_EQ(eval("cvt.rn.bf16.f32 %d, %a;", {"b16", "b32"}, {0x3f808000}) &
                0xffff,
            0x3f80u);
}

TEST_F(Simulator, ApproximatesNoWorseThanAGpu) {
  EXPECT_EQ(eval("rcp.approx.ftz.f64 %d, %a;", {"b64", "b64"}, {f64(3)}),
            f64(1.0 / 3) & ~uint64_t(0xffffffff));
  EXPECT_EQ(eval32("ex2.approx.f32 %d, %a;", {f32(3)}), f32(8));
  EXPECT_EQ(eval32("lg2.approx.f32 %d, %a;", {f32(8)}), f32(3));
  EXPECT_EQ(eval32("rsqrt.approx.f32 %d, %a;", {f32(4)}), f32(0.5f));
}

TEST_F(Simulator, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(refusal(kernel("")), "");
  EXPECT_TRUE(
      contains(refusal(kernel("wibble.s32 %r1, %r2;")), "unknown instruction"));
  EXPECT_TRUE(contains(said, "'wibble.s32'"));
  EXPECT_TRUE(contains(refusal(kernel("add.odd.s32 %r1, %r2, %r3;")),
                       "unknown modifier '.odd'"));
  EXPECT_TRUE(
      contains(refusal(kernel("add.s32 %r1, %r2;")), "operand 3 is missing"));
  EXPECT_TRUE(contains(refusal(kernel("add.s32 %r1, %r2, %rd3;")),
                       "a register of 64 bits for 32"));
  EXPECT_TRUE(contains(refusal(kernel("bra $nowhere;")), "no label"));
  EXPECT_TRUE(
      contains(refusal(kernel("mov.u32 %r1, %wat;")), "unknown register"));
  EXPECT_TRUE(contains(refusal(kernel(".wat 3;")), "unknown directive '.wat'"));
  EXPECT_TRUE(contains(refusal(kernel("", 120)), "compiled for sm_120"));
  EXPECT_TRUE(contains(refusal("nonsense"), "unknown directive"));
}

// ptxas stores it before there is a frame, and the store goes astray.
TEST_F(Simulator, RefusesTheAddressOfAParameterBesideAlloca) {
  auto module = [](const std::string &size) {
    return head() + ".func f(.param .align 8 .b8 s[" + size +
           "], .param .b64 n) {\n.reg .b64 %rd<9>;\nld.param.b64 %rd1, [n];\n"
           "alloca.u64 %rd2, %rd1, 8;\nst.local.b64 [%rd2], %rd1;\n"
           "mov.b64 %rd3, s;\nld.local.b64 %rd4, [%rd3];\nret;\n}\n";
  };
  EXPECT_NE(refusal(module("16")).find("the address of 's' is taken"),
            std::string::npos);
  EXPECT_EQ(refusal(module("64")), "");
}

TEST_F(Simulator, WantsVariablesDeclaredBeforeTheyAreNamed) {
  std::string circle = ".global .u64 a = generic(b);\n"
                       ".visible .global .u64 b = generic(a);\n";
  EXPECT_TRUE(
      contains(refusal(kernel("") + circle), "'b', which is not declared"));
  EXPECT_EQ(refusal(kernel("") + ".extern .global .u64 b;\n" + circle), "");
  EXPECT_TRUE(
      contains(refusal(kernel("") + ".extern .global .b8 b[8];\n" + circle),
               "another type"));
  EXPECT_TRUE(contains(refusal(kernel("") + ".extern .global .u64 a;\n" +
                               ".visible .global .u64 b = generic(a);\n" +
                               ".global .u64 a = generic(b);\n"),
                       "does not define the .extern 'a'"));
}

} // namespace
