// Host code that uses elements of device memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer converts to a pointer, so `x[i]` compiles in host code as it does in a
// kernel. It works on the CPU device, and faults with a GPU's memory.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTELEMENTS_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTELEMENTS_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Warns where functions that no kernel calls subscript or dereference an
/// xcc::buffer or device_span.
void checkHostElements(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                       llvm::ArrayRef<FoundKernel> kernels,
                       const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTELEMENTS_H
