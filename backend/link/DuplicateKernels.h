// Internal kernels with the same symbol in several units
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols of internal kernels (static ones and lambdas) depend on the
// unit's text, but not on its folder. If a link has two units with the same
// text, which may include different headers, each gets its own symbols. Host
// code names the kernels by descriptors; the runtime corrects their symbols
// when the program is loaded (host-runtime/src/images/duplicate_kernels.h).

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
  /// Finds them, and renames kernels in the inputs' tables. Keeps pointers to
  /// the inputs.
  explicit DuplicateKernels(std::vector<DeviceModule> &inputs);

  bool any() const { return !renamed.empty(); }

  /// Renames the kernels in an input's module or bitcode.
  llvm::Error separate(DeviceModule &input);

private:
  using Names = llvm::StringMap<std::string>;
  llvm::DenseMap<const DeviceModule *, Names> renamed;
  /// For each target and hash of the source: the first input, with a hash of
  /// its code.
  std::map<std::pair<const Target *, uint64_t>,
           std::pair<const DeviceModule *, uint64_t>>
      first;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_DUPLICATEKERNELS_H
