// What launches move, for -foffload-report-mapping
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_MAPPINGREPORT_H
#define XCC_FRONTEND_KERNELS_CHECK_MAPPINGREPORT_H

#include "kernels/find/KernelFinder.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Writes down for each launch what a device with memory of its own is given,
/// as the types of arguments and captures say it: values, objects, ranges,
/// addresses that must be known. What comes back is known once kernels are
/// compiled (access/MappingRemarks.h). Where nothing will be linked, `now`, it
/// is told in remarks, as far as types tell.
void reportMapping(clang::Sema &sema,
                   llvm::MutableArrayRef<FoundKernel> kernels, bool now);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_MAPPINGREPORT_H
