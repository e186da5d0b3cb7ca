// Inline assembly of NVIDIA's in kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_CUDA_INLINEPTX_H
#define XCC_FRONTEND_CUDA_INLINEPTX_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace xcc {

/// Whether the text of an assembly has instructions of PTX, such as
/// "mov.u32 %0, %%laneid;".
bool isPtx(llvm::StringRef text);

/// What to write instead, for a note.
llvm::StringRef insteadOfPtx(llvm::StringRef text);

/// An error for each assembly of that kind in the host's module, which becomes one
/// without text. The CPU device runs functions of that module, and the assembler's
/// message would not help.
void rejectInlinePtx(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_INLINEPTX_H
