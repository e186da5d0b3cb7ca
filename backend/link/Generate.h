// Makes images from a linked module, using the cache
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
  std::string &errors; ///< LLVM's errors are added
  /// The number of the unit of each kernel. If units are generated separately,
  /// also of each function that one of them defines.
  const llvm::StringMap<unsigned> &units;
  /// The reason why units are optimised together although they should be
  /// separate; empty if they are separate.
  std::string &together;
};

/// Makes the images of one arch. Divides the module into parts if options and
/// target allow it, and then sets `divided`. Takes parts from the cache.
llvm::Expected<std::vector<DeviceImage>> generateImages(LinkedModule linked,
                                                        bool &divided);

} // namespace xcc

#endif // XCC_BACKEND_LINK_GENERATE_H
