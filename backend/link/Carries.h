// The carry that inline PTX passes from one statement to the next
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's programs for large numbers have functions with one instruction each:
//
//   unsigned add_cc(unsigned a, unsigned b)  { asm("add.cc.u32 ..."); }
//   unsigned addc_cc(unsigned a, unsigned b) { asm("addc.cc.u32 ..."); }
//
// An NVIDIA GPU keeps the carry in a register of the thread. Translated
// statements call __xcc_carry_read and __xcc_carry_write (<xcc/cuda/ptx.h>). Here
// the carry becomes a local variable of each function that computes with it. A
// function that reads a carry before it writes one is inlined where it is called,
// and there the functions that write it, at every level of optimisation.

#ifndef XCC_BACKEND_LINK_CARRIES_H
#define XCC_BACKEND_LINK_CARRIES_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace xcc {

/// A read of a carry that nothing before it has written.
struct UnsetCarry {
  llvm::Function *function; ///< that has it, after inlining
  std::string writtenIn;    ///< the symbol of the source's function
};

/// Replaces all calls. The reads that are returned end the program.
std::vector<UnsetCarry> lowerCarries(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_CARRIES_H
