// Reports what each launch maps, for -foffload-report-mapping
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

/// Records for each launch what a device with memory of its own receives,
/// according to the types of arguments and captures: values, objects, ranges,
/// addresses that must be mapped already. What comes back is known once kernels
/// are compiled (access/MappingRemarks.h). With `now`, nothing will be linked,
/// so remarks report at once what the types tell.
void reportMapping(clang::Sema &sema,
                   llvm::MutableArrayRef<FoundKernel> kernels, bool now);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_MAPPINGREPORT_H
