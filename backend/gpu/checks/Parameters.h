// Whether an entry takes its parameters from where the host puts them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host fills a kernel's arguments by the layout that the front end made; a
// back end lays out the parameters of the entry by itself, and says where in
// what it writes.

#ifndef XCC_BACKEND_GPU_CHECKS_PARAMETERS_H
#define XCC_BACKEND_GPU_CHECKS_PARAMETERS_H

#include "Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace xcc::gpu {

/// A parameter as the back end placed it, in bytes.
struct PlacedParameter {
  uint32_t offset = 0, size = 0;
};

/// What differs from the kernel's layout: the first parameter that is somewhere
/// else, or their count. Empty when nothing does.
std::string parameterDifference(llvm::ArrayRef<PlacedParameter> placed,
                                const Kernel &kernel);

/// The error for such a difference.
llvm::Error wrongParameters(const Kernel &kernel, llvm::StringRef arch,
                            llvm::StringRef difference);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_PARAMETERS_H
