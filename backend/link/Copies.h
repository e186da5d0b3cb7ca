// Which values of a module may be copied
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are generated separately, as parts of an image or as images of
// their own, have copies of everything they reach. Some values must not be
// copied.

#ifndef XCC_BACKEND_LINK_COPIES_H
#define XCC_BACKEND_LINK_COPIES_H

#include "llvm/IR/Module.h"

namespace xcc {

/// Whether copies of a variable or function behave as a single one.
bool isSameInCopies(const llvm::GlobalValue &value);

/// Whether a function's address is used other than by calls, and by tables that
/// may be copied.
bool isAddressTaken(const llvm::Value &value);

} // namespace xcc

#endif // XCC_BACKEND_LINK_COPIES_H
