// PTX as the back end writes it, read and fixed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_PTX_H
#define XCC_BACKEND_TARGETS_NVPTX_PTX_H

#include "Kernel.h"
#include "gpu/stages/AfterPipeline.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace xcc::nvptx {

/// Compares an entry's .param list with the kernel's layout. Empty when they
/// agree.
std::string differenceInPTX(llvm::StringRef ptx, const Kernel &kernel);

/// PTX has no way to write a quote in the name of a source file.
void nameFilesForPTX(llvm::SmallVectorImpl<char> &text);

/// Makes bytes of the parameters and results of 65 to 127 bits, which the back
/// end gives a type that PTX has from version 8.3 on. Those of 128 are bytes.
void writeWideParameters(llvm::SmallVectorImpl<char> &text);

/// Makes two shifts of each signed field of bits; see fields.cpp.
void shiftForFields(llvm::SmallVectorImpl<char> &text);

/// Stores the low bits of registers where ptxas would convert a number; see
/// stores.cpp.
void storeIntegers(llvm::SmallVectorImpl<char> &text);

/// How long the comment or the string is that \p text begins with; 0 without
/// one.
size_t lengthOfIgnored(llvm::StringRef text);

/// Makes the names of gpu::cutCircles those of their variables. PTX has a
/// variable declared .extern before it is defined, if both lines agree in type
/// and the definition is .visible; both are needed since an initial value may
/// name only what was declared before it.
void declareAhead(llvm::SmallVectorImpl<char> &text,
                  llvm::ArrayRef<gpu::Ahead> list);

/// One module of several, of which the last may define variables of the others.
/// What else they define has a name of its own.
llvm::Expected<std::string> joinPTX(llvm::ArrayRef<llvm::StringRef> parts);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_PTX_H
