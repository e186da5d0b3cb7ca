// Checks the layout of an entry's parameters
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parameters.h"
#include "support/InternalError.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xcc::gpu {

std::string parameterDifference(ArrayRef<PlacedParameter> placed,
                                const Kernel &kernel) {
  for (auto [index, found] : enumerate(placed)) {
    if (index == kernel.params.size())
      return "it has more parameters than the kernel";
    const KernelParam &param = kernel.params[index];
    if (found.offset != param.offset || found.size != param.size)
      return "parameter " + utostr(index + 1) + " is at " +
             utostr(found.offset) + " with " + utostr(found.size) +
             " bytes, and the host puts " + utostr(param.size) + " bytes at " +
             utostr(param.offset);
  }
  if (placed.size() != kernel.params.size())
    return "it has fewer parameters than the kernel";
  return "";
}

Error wrongParameters(const Kernel &kernel, StringRef arch,
                      StringRef difference) {
  return createStringError(
      internalError("the entry of kernel '" + kernel.name + "' for " + arch +
                    " is not what the host fills: " + difference));
}

} // namespace xcc::gpu
