// Bytes around a variable that no access may touch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -foffload-red-zones the compiler puts zones around local variables, and on
// AMD GPUs around block_shared ones. The code itself tells a simulator where they
// are, by two stores of 32 bits that are plain stores on a GPU:
//
//     zone      +-- before --+------------ 32 bytes ------------+
//                            | Begin | word(kind, before) | ... |
//                            +-- the address, a multiple of 16 --
//
// The zone begins up to 15 bytes before the address, where the variable ends.

#ifndef XCC_FORMATS_RED_ZONES_H
#define XCC_FORMATS_RED_ZONES_H

#include <cstdint>

namespace xcc::rt::zones {

enum Kind : uint32_t {
  Clear,  ///< the function returns: what is there is free again
  Before, ///< in front of a variable
  Behind
};

constexpr uint32_t Size = 32, Align = 16;
constexpr uint32_t Begin = 0x9d2c5a61, Word = 0x71e6b380;

constexpr uint32_t word(Kind kind, uint32_t before) {
  return Word | uint32_t(kind) << 4 | before;
}
constexpr bool isWord(uint32_t word) {
  return (word & ~0x3fu) == Word && (word >> 4 & 3) <= Behind;
}
constexpr Kind kindOf(uint32_t word) { return Kind(word >> 4 & 3); }
constexpr uint32_t beforeOf(uint32_t word) { return word & 15; }

} // namespace xcc::rt::zones
#endif // XCC_FORMATS_RED_ZONES_H
