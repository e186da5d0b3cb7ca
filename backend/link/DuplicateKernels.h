// Units whose own kernels have the same symbols
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols of a unit's own kernels, static ones and lambdas, come of its
// text, not of the folder that it lies in. Where a link has two units of one
// text, which may include different headers, each gets symbols of its own. The
// host's code names the kernels by descriptors, whose symbols the runtime sets
// right when the program is loaded (host-runtime/src/images/duplicate_kernels.h).

#ifndef XCC_BACKEND_LINK_DUPLICATEKERNELS_H
#define XCC_BACKEND_LINK_DUPLICATEKERNELS_H

#include "DeviceModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <map>

namespace xcc {

class DuplicateKernels {
public:
  /// Finds them, and renames kernels in the inputs' tables. The inputs stay
  /// where they are.
  explicit DuplicateKernels(std::vector<DeviceModule> &inputs);

  bool any() const { return !renamed.empty(); }

  /// Renames the kernels in an input's code, which is a module or bitcode.
  llvm::Error separate(DeviceModule &input);

private:
  using Names = llvm::StringMap<std::string>;
  llvm::DenseMap<const DeviceModule *, Names> renamed;
  /// The first of the inputs that seem to be the same for a target, by the hash
  /// of what was read, with the hash of its code.
  std::map<std::pair<const Target *, uint64_t>,
           std::pair<const DeviceModule *, uint64_t>>
      first;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_DUPLICATEKERNELS_H
