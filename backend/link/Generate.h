// From a linked module to images, with what was generated before
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_GENERATE_H
#define XCC_BACKEND_LINK_GENERATE_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>
#include <vector>

namespace xcc {

/// A linked module, which is used up.
struct LinkedModule {
  std::unique_ptr<llvm::Module> &module;
  const Target &target;
  llvm::StringRef arch;
  const KernelTable &kernels;
  const DeviceCodegenOptions &options;
  std::string &errors; ///< what LLVM reports is added
  /// The number of the unit that each kernel comes from; where units are to be
  /// apart, also of the functions that one of them defines.
  const llvm::StringMap<unsigned> &units;
  /// Why units are optimised together that were to be apart; empty if none is.
  std::string &together;
};

/// Makes the images of one arch: in parts, where options and target allow it,
/// which sets `divided`; of parts that are in the cache no code is generated.
llvm::Expected<std::vector<DeviceImage>> generateImages(LinkedModule linked,
                                                        bool &divided);

} // namespace xcc

#endif // XCC_BACKEND_LINK_GENERATE_H
