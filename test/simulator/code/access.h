// Loads and stores of host code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access has code for elements side by side, for one element that all lanes
// read, and for any addresses. So there is one function for each kind of access,
// which the accesses call: code that has all of it would take LLVM ten times as
// long.

#ifndef XCC_TEST_SIMULATOR_CODE_ACCESS_H
#define XCC_TEST_SIMULATOR_CODE_ACCESS_H

#include "lower.h"

namespace simulator {

/// The argument that an access function has at each place.
enum class AccessArgument : unsigned {
  State,       ///< LaneState
  Lanes,       ///< that access memory
  Window,      ///< LaneWindow
  Instruction, ///< what the simulator executes where the access is no quick one
  Frame,       ///< the registers' memory, for the simulator
  AddressAt,   ///< of the register that has the address, in it; NoRegister
  ValueAt,     ///< of the register to load to or to store from; likewise
  Offset,      ///< added to the addresses
  Addresses,
  Value ///< a store's
};
constexpr uint64_t NoRegister = ~uint64_t(0);

/// A function for loads or stores of the kind of \p o, to or from registers of so
/// many bytes. It returns whether the simulator goes on, a load's behind its value.
/// An access is made without the simulator if all lanes' addresses are aligned and
/// within the instruction's window.
llvm::Function *accessFunction(llvm::Module &m, const LaneOperation &o,
                               unsigned registerBytes);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_CODE_ACCESS_H
