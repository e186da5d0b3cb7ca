// What undefined bits make of results
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit of a value is undefined when it depends on memory that nobody wrote. These
// functions say which bits of a result are, from the operands' values and their
// undefined bits. They follow J. Seward and N. Nethercote, "Using Valgrind to
// detect undefined value errors with bit-precision" (USENIX 2005).

#ifndef XCC_TEST_SIMULATOR_COMMON_UNDEFINED_BITS_H
#define XCC_TEST_SIMULATOR_COMMON_UNDEFINED_BITS_H

#include <cstdint>

namespace simulator {

/// A value and which of its bits are undefined: 1 for those.
struct Partly {
  uint64_t value = 0, undefined = 0;
  constexpr uint64_t least() const { return value & ~undefined; }
  constexpr uint64_t most() const { return value | undefined; }
};

constexpr uint64_t lowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

/// From the lowest undefined bit on upwards: what a carry reaches.
constexpr uint64_t upwards(uint64_t undefined) {
  return undefined | -undefined;
}
constexpr uint64_t allIfAny(uint64_t undefined) {
  return undefined ? ~uint64_t(0) : 0;
}

/// A zero that is defined decides, whatever the other bit is.
constexpr uint64_t undefinedAnd(Partly a, Partly b) {
  return (a.undefined | b.undefined) & a.most() & b.most();
}
constexpr uint64_t undefinedOr(Partly a, Partly b) {
  return (a.undefined | b.undefined) & ~a.least() & ~b.least();
}
constexpr uint64_t undefinedAdd(Partly a, Partly b) {
  return a.undefined | b.undefined |
         ((a.least() + b.least()) ^ (a.most() + b.most()));
}
constexpr uint64_t undefinedSub(Partly a, Partly b) {
  return a.undefined | b.undefined |
         ((a.least() - b.most()) ^ (a.most() - b.least()));
}
/// The low half of a product. Zeros at the end of a factor move bits up.
constexpr uint64_t undefinedMul(Partly a, Partly b) {
  auto times = [](uint64_t undefined, Partly by) {
    const uint64_t lowest = by.most() & -by.most(); // 0 for a factor of zero
    return upwards((undefined & -undefined) * lowest);
  };
  return times(a.undefined, b) | times(b.undefined, a);
}
/// Any function of three bits, by its table (lop3, v_bitop3): undefined where
/// the undefined bits can make both 0 and 1 of it.
constexpr uint64_t undefinedTable(Partly a, Partly b, Partly c,
                                  unsigned table) {
  uint64_t can[2] = {0, 0};
  for (unsigned n = 0; n != 8; ++n)
    can[table >> n & 1] |= (n & 4 ? a.most() : ~a.least()) &
                           (n & 2 ? b.most() : ~b.least()) &
                           (n & 1 ? c.most() : ~c.least());
  return can[0] & can[1];
}
/// \p condition chooses a. What it decides is undefined as a whole, as a branch
/// would be, unless both are the same.
constexpr uint64_t undefinedSelect(Partly condition, Partly a, Partly b) {
  if (condition.undefined & 1)
    return a.value == b.value ? a.undefined | b.undefined : ~uint64_t(0);
  return condition.value & 1 ? a.undefined : b.undefined;
}
/// Bits that are defined and differ decide.
constexpr bool isEqualUndefined(Partly a, Partly b) {
  const uint64_t undefined = a.undefined | b.undefined;
  return undefined && !((a.value ^ b.value) & ~undefined);
}
/// Whether a < b depends on undefined bits; numbers without a sign.
constexpr bool isLessUndefined(Partly a, Partly b) {
  return (a.undefined | b.undefined) &&
         (a.least() < b.most()) != (a.most() < b.least());
}
/// Zeros in front of the highest bit that is set, in \p bits bits.
constexpr uint64_t undefinedLeadingZeros(Partly a, unsigned bits) {
  const uint64_t mask = lowBits(bits);
  return (a.undefined & mask) > (a.least() & mask) ? ~uint64_t(0) : 0;
}

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_UNDEFINED_BITS_H
