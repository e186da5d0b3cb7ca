// Uninitialised values: which bits of registers and memory are undefined
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With XCC_SIM_CHECK=init each frame has a second one of the same layout, in
// which a bit is 1 where the register's bit is undefined. Each instruction has a
// rule, which is carried out before it. A register that nobody wrote counts as
// defined: LLVM leaves one where it may choose any value.
//
// An undefined value is reported where it decides a branch, an address or a
// called function, and where the host gets it. Copies of it are not: padding is
// copied, too.

#ifndef XCC_SIMULATOR_NVPTX_DEFINEDNESS_H
#define XCC_SIMULATOR_NVPTX_DEFINEDNESS_H

#include "code.h"

namespace ptx {

class Warp;

/// What an instruction makes of undefined bits.
struct Rule {
  /// A register or constant; without bytes it is a predicate.
  struct Part {
    int32_t at = 0;
    uint8_t bytes = 0;
    bool negated = false;
  };
  using Track = void (*)(Warp &, const Inst &, const Rule &, uint32_t lanes);
  Track run = nullptr;
  std::vector<Part> reads, writes;
  Type type = {}, from = {}; ///< as the instruction names them
  uint8_t bytes = 0;         ///< of each element in memory
  uint8_t kind = 0;          ///< what the rule makes of it
};

/// Where a register's undefined bits are from.
struct Origin {
  const Inst *read = nullptr; ///< the load; null when there is none
  uint64_t address = 0;
  Space in = Space::Generic;
  bool computed = false; ///< by arithmetic, which uses all of a value
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_DEFINEDNESS_H
