// Generates calls that pass a record to the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_RECORDS_H
#define XCC_BACKEND_LINK_RECORDS_H

#include "llvm/IR/Module.h"

namespace xcc {

/// Makes an internal function without parameters, for the list of constructors
/// or destructors, that passes a record to the runtime's `callee`.
llvm::Function *callWith(llvm::Module &module, llvm::StringRef name,
                         llvm::StringRef callee, llvm::GlobalVariable *record);

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDS_H
