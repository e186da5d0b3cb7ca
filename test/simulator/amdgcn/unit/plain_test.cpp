// The two handlers of vector instructions, against each other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction without modifiers does by plain.h is what it does by the
// handler for any modifiers: for each instruction that has both, on registers of
// random and of remarkable numbers, with all lanes and with some.

#include "dispatch.h"
#include "plain.h"
#include "semantics.h"

#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace amdgcn;

namespace {

/// A wave that runs nothing by itself.
class OneWave {
public:
  OneWave(const std::string &processor, unsigned lanes)
      : arch(Architecture::of(processor)) {
    KernelDescriptor k{};
    k.entryOffset = sizeof(k);
    k.rsrc1 = 15 | 0xf0 << 12; // registers; denormals as in C++
    k.rsrc3 = 7;
    k.properties = uint16_t((lanes == 32) << 10);
    program.reset(Program::ofCode(k, std::string(4, 0), arch, Agent));
    packet.gridSize[0] = packet.workgroupSize[0] = uint16_t(lanes);
    packet.gridSize[1] = packet.gridSize[2] = packet.workgroupSize[1] =
        packet.workgroupSize[2] = 1;
    dispatch =
        std::make_unique<Dispatch>(*program, program->address(0), "none",
                                   packet, Agent, &packet, sizeof(packet));
    const uint32_t id[3] = {};
    group = std::make_unique<Workgroup>(*dispatch, id, 0);
  }
  Wave &wave() { return *group->waves[0]; }

private:
  static constexpr uint64_t Agent = 100;
  Architecture arch;
  std::unique_ptr<Program> program;
  xcc::rt::aql::DispatchPacket packet{};
  std::unique_ptr<Dispatch> dispatch;
  std::unique_ptr<Workgroup> group;
};

constexpr unsigned Rows = 24;

/// Registers and flags.
struct State {
  std::vector<uint32_t> vectors;
  std::array<uint32_t, ScalarRegisters> scalars;
  bool operator==(const State &) const = default;

  static State of(Wave &w) {
    State s;
    for (unsigned r = 0; r != Rows; ++r)
      s.vectors.insert(s.vectors.end(), w.row(r), w.row(r) + w.lanes);
    std::copy_n(w.s, ScalarRegisters, s.scalars.begin());
    return s;
  }
  void put(Wave &w) const {
    for (unsigned r = 0; r != Rows; ++r)
      std::copy_n(vectors.begin() + r * w.lanes, w.lanes, w.row(r));
    std::copy_n(scalars.begin(), ScalarRegisters, w.s);
  }
};

/// Takes the bits of NaNs away that operand 0 got: of several NaNs that come
/// together, the processor's instruction has its choice.
void sameNans(Wave &w, const Operand &to, Type type) {
  for (unsigned l = 0; to.isVector() && l != w.lanes; ++l) {
    uint32_t &low = w.row(to.reg)[l];
    if (type == Type::F32 && std::isnan(asFloat(low)))
      low = 0x7fc00000;
    if (type != Type::F64)
      continue;
    uint32_t &high = w.row(to.reg + 1)[l];
    if (std::isnan(asDouble(uint64_t(high) << 32 | low)))
      high = 0x7ff80000, low = 0;
  }
}

using Random = std::mt19937;

uint32_t number(Random &random) {
  static constexpr uint32_t remarkable[] = {
      0,          1,          2,          31,         32,         0x7fffffff,
      0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0x7fa00000, 0x00400000, 0x80000001, 0x7ff00000, 0x3ff00000,
      0x7c003c00, 0xfc00bc00, 0x7e000001, 0x0001ffff, 0xffff8000, 0x7f7fffff};
  if (random() % 3)
    return random();
  return remarkable[random() % std::size(remarkable)];
}

/// Operands of all kinds that the types allow.
void giveOperands(Instruction &i, const Semantics &s, Random &random) {
  i.operands = MaxOperands;
  for (unsigned n = 0; n != MaxOperands; ++n) {
    Operand &o = i.op[n];
    const Type type = s.types[n];
    const bool isResult = n < s.firstSource;
    o.count = type == Type::B64 || type == Type::I64 || type == Type::F64 ||
                      type == Type::Any
                  ? 2
                  : 1;
    if (type == Type::Any) {
      o.k = Operand::Scalar;
      o.reg = uint16_t(10 + 2 * n);
      continue;
    }
    // Now and then registers that overlap.
    o.k = Operand::Vector;
    o.reg = uint16_t(random() % 4 ? 3 * n : random() % (Rows - 1));
    const bool isHalf = type == Type::B16 || type == Type::F16;
    o.high = isHalf && random() % 4 == 0;
    if (isResult)
      continue;
    if (random() % 4 == 0) {
      o.k = Operand::Scalar;
      o.reg = uint16_t(40 + 2 * n);
    } else if (random() % 6 == 0) {
      o.k = Operand::Constant;
      o.value = uint64_t(number(random)) << 32 | number(random);
    }
    if (type == Type::F16 || type == Type::F32 || type == Type::F64) {
      o.neg = random() % 4 == 0;
      o.abs = random() % 4 == 0;
    }
  }
}

State randomState(Wave &w, Random &random) {
  State s = State::of(w);
  for (uint32_t &v : s.vectors)
    v = number(random);
  for (unsigned r = 0; r != VccLo + 2u; ++r)
    s.scalars[r] = number(random);
  const uint64_t active =
      random() % 2 ? w.full : (uint64_t(random()) << 32 | random()) & w.full;
  memcpy(&s.scalars[ExecLo], &active, 8);
  return s;
}

class Plain : public testing::TestWithParam<std::pair<const char *, unsigned>> {
};

TEST_P(Plain, DoesWhatTheGeneralHandlerDoes) {
  if (!wide)
    GTEST_SKIP() << "the processor has no AVX2";
  const auto [processor, lanes] = GetParam();
  OneWave one(processor, lanes);
  Wave &w = one.wave();
  Random random(5);
  unsigned tried = 0;
  allSemantics().each([&](std::string_view name, const Semantics &s) {
    if (!s.plain)
      return;
    ++tried;
    for (unsigned time = 0; time != 40; ++time) {
      Instruction i;
      giveOperands(i, s, random);
      ASSERT_TRUE(isPlain(i));
      const State before = randomState(w, random);
      before.put(w);
      s.run(w, i);
      sameNans(w, i.op[0], s.types[0]);
      const State expected = State::of(w);
      before.put(w);
      s.plain(w, i);
      sameNans(w, i.op[0], s.types[0]);
      ASSERT_TRUE(State::of(w) == expected) << name << ", time " << time;
    }
  });
  EXPECT_GT(tried, 250u);
}

INSTANTIATE_TEST_SUITE_P(Waves, Plain,
                         testing::Values(std::pair("gfx1100", 32u),
                                         std::pair("gfx90a", 64u),
                                         std::pair("gfx908", 64u)));

} // namespace
