// Does a kernel allocate or free memory?
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_ACCESS_HEAP_H
#define XCC_BACKEND_ACCESS_HEAP_H

namespace llvm {
class Function;
} // namespace llvm

namespace xcc::access {

/// Whether an entry, or a function that it calls, may allocate or free memory.
/// An unseen function may, unless its name or attributes show otherwise.
bool mayUseHeap(const llvm::Function &entry);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_HEAP_H
