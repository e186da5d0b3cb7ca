// Checks the layout of an entry's parameters
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host stores a kernel's arguments in the layout that the front end made. A
// back end lays out the parameters of the entry itself, and reports the places
// in its output. The two must agree.

#ifndef XCC_BACKEND_GPU_CHECKS_PARAMETERS_H
#define XCC_BACKEND_GPU_CHECKS_PARAMETERS_H

#include "Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace xcc::gpu {

/// A parameter's place according to the back end, in bytes.
struct PlacedParameter {
  uint32_t offset = 0, size = 0;
};

/// Describes the first difference to the kernel's layout: a parameter at
/// another place, or their number. Empty if there is none.
std::string parameterDifference(llvm::ArrayRef<PlacedParameter> placed,
                                const Kernel &kernel);

/// The internal error for such a difference.
llvm::Error wrongParameters(const Kernel &kernel, llvm::StringRef arch,
                            llvm::StringRef difference);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_PARAMETERS_H
