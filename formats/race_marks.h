// What code for AMD GPUs tells a simulator about the order of threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation of a warp makes no instruction, or one that serves other purposes
// too, and atomic loads and stores look like plain ones. So with
// -foffload-red-zones the compiler puts marks beside them: `s_setprio`, of whose
// number a GPU reads the lowest two bits. These are 0, which is the priority that
// waves have.

#ifndef XCC_FORMATS_RACE_MARKS_H
#define XCC_FORMATS_RACE_MARKS_H

#include <cstdint>

namespace xcc::rt::marks {

enum Mark : uint16_t {
  Kernel = 0x5a00, ///< at the begin of a kernel: its code has marks
  Warp = 0x5b00,   ///< lanes of a wave are ordered; ends Atomic
  Atomic = 0x5c00, ///< accesses from here on are atomic or volatile
  Fence =
      0x5d00 ///< the block's threads are ordered, if the wave has loaded anything
};

} // namespace xcc::rt::marks
#endif // XCC_FORMATS_RACE_MARKS_H
