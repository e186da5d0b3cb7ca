// Annotations that Clang writes into functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_ANNOTATIONS_H
#define XCC_FRONTEND_UNIT_ANNOTATIONS_H

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace xcc {

/// The text of a call of llvm.var.annotation or llvm.ptr.annotation.
llvm::StringRef annotationOf(const llvm::IntrinsicInst &call);

/// Removes the annotations of parameters and members that are no longer needed,
/// because they block optimisation.
void dropSpentAnnotations(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_ANNOTATIONS_H
