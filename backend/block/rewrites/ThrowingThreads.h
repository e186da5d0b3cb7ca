// Which thread throws
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread loop keeps its indices in registers, where the runtime cannot see
// them. Before an exception leaves the kernel, they are written to the thread's
// record, so that the error can name the thread.

#ifndef XCC_BACKEND_BLOCK_REWRITES_THROWINGTHREADS_H
#define XCC_BACKEND_BLOCK_REWRITES_THROWINGTHREADS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes \p kernel record its thread's indices where its own code throws.
void noteThrowingThreads(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_THROWINGTHREADS_H
