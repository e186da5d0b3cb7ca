// What launches move, for -foffload-report-mapping
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_MAPPINGREPORT_H
#define XCC_FRONTEND_KERNELS_MAPPINGREPORT_H

#include "KernelFinder.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Remarks at each launch what a device with memory of its own is given, as the
/// types of arguments and captures say it: values, objects, ranges, addresses
/// that must be known; and whether they are brought back.
void reportMapping(clang::Sema &sema, llvm::ArrayRef<FoundKernel> kernels);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_MAPPINGREPORT_H
