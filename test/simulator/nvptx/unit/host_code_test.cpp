// Host code of PTX gives what the interpreter gives
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <random>

namespace {
using namespace test;

/// An instruction with operands %a, %b, %c, %p and the result %d, of these types.
struct Case {
  std::string text;
  const char *result, *operand;
};

/// "add.u32" and the like, for each of the types.
void addAll(std::vector<Case> &to, std::initializer_list<const char *> names,
            std::initializer_list<const char *> types, const char *operands) {
  static std::vector<std::string> kept;
  kept.reserve(1000);
  for (const char *name : names)
    for (const char *type : types) {
      const char *bits = std::string(type).ends_with("16")   ? "b16"
                         : std::string(type).ends_with("32") ? "b32"
                                                             : "b64";
      to.push_back(
          {std::string(name) + "." + type + " " + operands, bits, bits});
    }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto integers = {"u16", "s16", "u32", "s32", "u64", "s64"};
  const auto words = {"u32", "s32", "u64", "s64"};
  addAll(all, {"add", "sub", "mul.lo", "min", "max"}, integers, "%d, %a, %b;");
  addAll(all, {"mad.lo"}, integers, "%d, %a, %b, %c;");
  addAll(all, {"mul.hi"}, {"u16", "s16", "u32", "s32", "u64", "s64"},
         "%d, %a, %b;");
  addAll(all, {"abs", "neg"}, {"s16", "s32", "s64"}, "%d, %a;");
  addAll(all, {"and", "or", "xor"}, {"b16", "b32", "b64"}, "%d, %a, %b;");
  addAll(all, {"not"}, {"b16", "b32", "b64"}, "%d, %a;");
  addAll(all, {"brev"}, {"b32", "b64"}, "%d, %a;");
  addAll(all, {"shr"}, words, "%d, %a, %n;");
  addAll(all, {"shl"}, {"b16", "b32", "b64"}, "%d, %a, %n;");
  addAll(all, {"selp"}, {"b16", "b32", "b64"}, "%d, %a, %b, %p;");
  addAll(all, {"shf.l.wrap", "shf.r.wrap", "shf.l.clamp"}, {"b32"},
         "%d, %a, %b, %n;");
  addAll(all,
         {"add", "sub", "mul", "add.sat", "mul.ftz", "add.ftz.sat", "min",
          "max", "div.rn", "div.approx", "add.rz", "min.NaN"},
         {"f32"}, "%d, %a, %b;");
  addAll(all, {"fma.rn", "fma.rn.ftz", "fma.rm"}, {"f32"}, "%d, %a, %b, %c;");
  addAll(all,
         {"neg", "abs", "neg.ftz", "sqrt.rn", "sqrt.approx", "rcp.rn",
          "rcp.approx.ftz", "rsqrt.approx", "sin.approx"},
         {"f32"}, "%d, %a;");
  addAll(all, {"add", "sub", "mul", "min", "max", "div.rn"}, {"f64"},
         "%d, %a, %b;");
  addAll(all, {"fma.rn"}, {"f64"}, "%d, %a, %b, %c;");
  addAll(all, {"neg", "abs", "sqrt.rn", "rcp.rn"}, {"f64"}, "%d, %a;");
  for (const char *text :
       {"popc.b32 %d, %a;", "clz.b32 %d, %a;", "cvt.rn.f32.s32 %d, %a;",
        "cvt.rn.f32.u32 %d, %a;", "cvt.rzi.s32.f32 %d, %a;",
        "cvt.rni.u32.f32 %d, %a;", "cvt.rmi.f32.f32 %d, %a;",
        "cvt.s32.s8 %d, %a;", "cvt.u32.u16 %d, %a;", "cvt.u32.u8 %d, %a;",
        "bfe.u32 %d, %a, 3, 7;", "prmt.b32 %d, %a, %b, 0x3021;"})
    all.push_back({text, "b32", "b32"});
  for (const char *text :
       {"mul.wide.u32 %d, %a, %b;", "mul.wide.s32 %d, %a, %b;",
        "cvt.rn.f64.s32 %d, %a;", "cvt.f64.f32 %d, %a;", "cvt.s64.s32 %d, %a;",
        "cvt.u64.u32 %d, %a;", "cvt.rzi.s64.f32 %d, %a;"})
    all.push_back({text, "b64", "b32"});
  for (const char *text :
       {"cvt.u32.u64 %d, %a;", "cvt.rn.f32.f64 %d, %a;",
        "cvt.rzi.s32.f64 %d, %a;", "cvt.rpi.u32.f64 %d, %a;",
        "cvt.rn.f32.u64 %d, %a;", "popc.b64 %d, %a;", "clz.b64 %d, %a;"})
    all.push_back({text, "b32", "b64"});
  static const char *const relations[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                          "ge",  "equ", "neu", "ltu", "leu",
                                          "gtu", "geu", "num", "nan"};
  for (size_t n = 0; n != std::size(relations); ++n)
    for (const char *type : {"s16", "u32", "s32", "u64", "s64", "f32", "f64"}) {
      if (n > 5 && type[0] != 'f')
        continue;
      const char *bits = type[1] == '1'   ? "b16"
                         : type[1] == '3' ? "b32"
                                          : "b64";
      const std::string name = std::string(".") + relations[n];
      all.push_back(
          {"setp" + name + "." + type + " %q, %a, %b;\nselp.b32 %d, 1, 2, %q;",
           "b32", bits});
      all.push_back({"setp" + name + ".xor." + type +
                         " %q|%t, %a, %b, !%p;\nand.pred %q, %q, !%t;\n"
                         "selp.b32 %d, 1, 2, %q;",
                     "b32", bits});
    }
  return all;
}

/// Numbers at which instructions do something else, and others.
uint64_t operandOf(std::mt19937_64 &dice, unsigned bits) {
  const uint64_t any = dice();
  if (any % 3 == 0)
    return dice();
  static const uint64_t words[] = {
      0,          1,          2,          31,         32,         33,
      0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
      0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 0x00000001, 0x80400000,
      0x4f000000, 0xcf000000, 0x4b7fffff, 0x3effffff, 0x7f7fffff, 0x00800000};
  static const uint64_t longs[] = {0,
                                   1,
                                   ~uint64_t(0),
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x41dfffffffc00000,
                                   0xc1e0000000000000,
                                   0x0000000000000001,
                                   0x43e0000000000000,
                                   0x36a0000000000000,
                                   0x47efffffe0000000,
                                   0x3fdfffffffffffff};
  return bits == 64 ? longs[any / 3 % std::size(longs)]
                    : words[any / 3 % std::size(words)];
}

constexpr unsigned Threads = 160;
constexpr uint32_t Masks[Threads / 32] = {~0u, 1u, 0x80000000u, 0x00ffff00u,
                                          0xa5a5a5a5u};
constexpr size_t Operands = 256, Results = Operands + 32 * Threads,
                 ResultBytes = 8 * Threads;

/// Each case, executed by those lanes of each warp that its mask names. Accesses
/// that others might make too stay the interpreter's.
std::string program(const std::vector<Case> &all) {
  std::string text =
      ".reg .b32 %mask, %bit, %n, %warp;\n.reg .b64 %from, %to, %of;\n"
      ".reg .pred %p, %q, %t, %in;\nshr.u32 %warp, %tid, 5;\n"
      "mad.wide.u32 %of, %warp, 4, %out;\nld.global.b32 %mask, [%of];\n"
      "and.b32 %bit, %tid, 31;\nshr.u32 %bit, %mask, %bit;\n"
      "and.b32 %bit, %bit, 1;\nsetp.eq.u32 %in, %bit, 0;\n@%in bra $end;\n"
      "mad.wide.u32 %from, %tid, 32, %out;\nmul.wide.u32 %to, %tid, 8;\n"
      "add.u64 %to, %to, %out;\nld.global.b32 %n, [%from+280];\n"
      "and.b32 %n, %n, 127;\nand.b32 %bit, %n, 4;\n"
      "setp.ne.u32 %p, %bit, 0;\n";
  size_t at = Results;
  auto store = [&](const Case &c) {
    text += "st.volatile.global." + std::string(c.result) + " [%to+" +
            std::to_string(at) + "], %d;\n";
    at += ResultBytes;
  };
  for (const Case &c : all) {
    text += "{\n.reg ." + std::string(c.result) + " %d;\n.reg ." + c.operand +
            " %a, %b, %c;\n";
    for (int n = 0; n != 3; ++n)
      text += "ld.volatile.global." + std::string(c.operand) + " %" +
              char('a' + n) + ", [%from+" + std::to_string(Operands + 8 * n) +
              "];\n";
    text += c.text + "\n";
    store(c);
    // The second time for some lanes, into what the first has written.
    if (c.text.find('\n') == std::string::npos)
      text += "@!%p " + c.text + "\n";
    store(c);
    text += "}\n";
  }
  return text + "$end:\n";
}

class HostCode : public Simulator {
protected:
  void SetUp() override {
    Simulator::SetUp();
    before = simulator_hot(0);
  }
  void TearDown() override {
    EXPECT_GT(simulator_hot(0), before) << "no host code was made";
    Simulator::TearDown();
  }
  uint64_t before = 0;
};

TEST_F(HostCode, GivesWhatTheInterpreterGives) {
  const std::vector<Case> all = cases();
  std::mt19937_64 dice(40);
  for (size_t begin = 0; begin < all.size(); begin += 60) {
    const std::vector<Case> some(
        all.begin() + std::ptrdiff_t(begin),
        all.begin() + std::ptrdiff_t(std::min(all.size(), begin + 60)));
    const std::string text = kernel(program(some));
    const size_t bytes = Results + 2 * some.size() * ResultBytes;
    std::vector<uint64_t> memory(bytes / 8, 0);
    memcpy(memory.data(), Masks, sizeof(Masks));
    for (size_t n = Operands / 8; n != Results / 8; ++n)
      memory[n] = operandOf(dice, dice() % 2 ? 64 : 32);
    std::vector<uint64_t> results[2];
    for (uint64_t hot : {0, 1}) {
      simulator_hot(hot);
      const Address a = words(bytes / 4);
      write(a, memory.data(), bytes);
      ASSERT_EQ(run(text, 1, Threads, {a}), Success) << said;
      results[hot] = read<uint64_t>(a, bytes / 8);
    }
    for (size_t n = Results / 8; n != results[0].size(); ++n)
      ASSERT_EQ(results[0][n], results[1][n])
          << some[(n - Results / 8) / (2 * Threads)].text << ", thread "
          << (n - Results / 8) % Threads;
  }
}

/// Neighbours, one place for all, and places apart, of each size; by all lanes and
/// by some.
TEST_F(HostCode, Accesses) {
  std::string text = ".reg .pred %in;\n.reg .b32 %at5;\n";
  text += "mov.b32 %r9, 0;\n$L1:\nand.b32 %r1, %r9, 1;\n"
          "setp.eq.u32 %in, %r1, 0;\nand.b32 %r2, %tid, 5;\n"
          "setp.ne.and.u32 %in, %r2, 1, %in;\n@%in bra $L2;\n"
          "mad.lo.u32 %at5, %tid, 5, %r9;\nand.b32 %at5, %at5, 31;\n";
  for (const char *type : {"u8", "s8", "u16", "s16", "u32", "b64"}) {
    const std::string t = type,
                      bytes = t.ends_with("8")    ? "1"
                              : t.ends_with("16") ? "2"
                              : t.ends_with("32") ? "4"
                                                  : "8",
                      reg = bytes == "8" ? "%rd5" : "%r5";
    for (const char *index : {"%tid", "%r9", "%at5"})
      text += "mad.wide.u32 %rd1, " + std::string(index) + ", " + bytes +
              ", %out;\nld.global." + t + " " + reg + ", [%rd1+256];\nadd." +
              (bytes == "8" ? "u64 %rd5, %rd5, 3" : "u32 %r5, %r5, 3") +
              ";\nst.global." + (t[0] == 's' ? "u" + t.substr(1) : t) +
              " [%rd1+256], " + reg + ";\n";
  }
  text += "$L2:\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 6;\n"
          "@%p1 bra $L1;\n";
  std::vector<uint32_t> results[2];
  for (uint64_t hot : {0, 1}) {
    simulator_hot(hot);
    const Address a = words(160, 0x81fe7f80);
    ASSERT_EQ(run(kernel(text), 1, 32, {a}), Success) << said;
    results[hot] = read(a, 160);
  }
  EXPECT_EQ(results[0], results[1]);
}

/// A loop whose lanes leave it at different times.
TEST_F(HostCode, LeavesWhereLanesPart) {
  const std::string text = kernel(
      "mov.b32 %r1, %tid;\nmov.b32 %r2, 0;\n"
      "$L1:\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra $L2;\n"
      "mad.lo.u32 %r1, %r1, 3, 1;\nbra $L3;\n$L2:\nshr.u32 %r1, %r1, 1;\n"
      "$L3:\nadd.u32 %r2, %r2, 1;\nsetp.gt.u32 %p2, %r1, 1;\n"
      "@%p2 bra $L1;\nst.global.b32 [%at], %r2;");
  for (const char *schedule : {"lockstep", "independent", "random:7"}) {
    std::vector<uint32_t> results[2];
    for (uint64_t hot : {0, 1}) {
      ASSERT_TRUE(simulator_schedule(schedule));
      simulator_hot(hot);
      const Address a = words(96);
      ASSERT_EQ(run(text, 1, 96, {a}), Success) << said;
      results[hot] = read(a, 96);
    }
    EXPECT_EQ(results[0], results[1]) << schedule;
    EXPECT_EQ(results[0][27], 111u);
  }
}

/// The report is the same as without.
TEST_F(HostCode, ReportsFaults) {
  const std::string text =
      kernel("mov.b32 %r1, 0;\n$L1:\nmad.wide.u32 %rd1, %r1, 4, %at;\n"
             "ld.global.b32 %r2, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
             "setp.lt.u32 %p1, %r1, 100;\n@%p1 bra $L1;");
  std::string reports[2];
  const Address a = words(64);
  for (uint64_t hot : {0, 1}) {
    simulator_hot(hot);
    EXPECT_EQ(run(text, 1, 32, {a}), IllegalAddress);
    mock_cuda_fault(Success);
    reports[hot] = said;
  }
  EXPECT_TRUE(contains(reports[0], "thread (31, 0, 0)")) << reports[0];
  EXPECT_EQ(reports[0], reports[1]);
}

} // namespace
