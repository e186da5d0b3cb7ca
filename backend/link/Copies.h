// Which of a module's values may be there several times
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are generated apart, as parts of an image or images of their
// own, have copies of what they reach. Of some values there has to be one.

#ifndef XCC_BACKEND_LINK_COPIES_H
#define XCC_BACKEND_LINK_COPIES_H

#include "llvm/IR/Module.h"

namespace xcc {

/// Whether copies of a variable or function behave as a single one.
bool isSameInCopies(const llvm::GlobalValue &value);

/// Whether more than calls knows a function's address, other than tables of
/// which there may be copies.
bool isAddressTaken(const llvm::Value &value);

} // namespace xcc

#endif // XCC_BACKEND_LINK_COPIES_H
