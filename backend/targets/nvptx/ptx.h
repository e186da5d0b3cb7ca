// PTX as the back end writes it, read and mended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_PTX_H
#define XCC_BACKEND_TARGETS_NVPTX_PTX_H

#include "Kernel.h"
#include "gpu/GPU.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Module;
}

namespace xcc::nvptx {

/// Compares an entry's .param list with the kernel's layout. Empty when they
/// agree.
std::string layoutInPTX(llvm::StringRef ptx, const Kernel &kernel);

/// PTX has no way to write a quote in the name of a source file.
void nameFilesForPTX(llvm::SmallVectorImpl<char> &text);

/// Makes the names of gpu::cutCircles those of their variables. PTX has a
/// variable declared .extern before it is defined, if both lines agree in type
/// and the definition is .visible; both are needed since an initial value may
/// name only what was declared before it.
void declareAhead(llvm::SmallVectorImpl<char> &text,
                  llvm::ArrayRef<gpu::Ahead> list);

/// Makes fences of what the back end does not order. Before sm_70, PTX has
/// neither acquire nor release: a fence on each side of a relaxed operation
/// orders no less. From sm_70 on, the back end orders loads, stores and
/// compare-and-swap, but makes every other update a relaxed one.
void orderAtomics(llvm::Module &module, unsigned version);

/// Makes bytes of the integers in variables that PTX has no type for.
void wholeBytes(llvm::Module &module);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_PTX_H
