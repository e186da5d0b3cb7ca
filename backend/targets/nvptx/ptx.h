// Reads and fixes the PTX that the back end writes
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

/// Compares an entry's .param list with the kernel's layout. Returns an empty
/// string if they agree.
std::string differenceInPTX(llvm::StringRef ptx, const Kernel &kernel);

/// Replaces quotes in the names of source files. PTX cannot represent them.
void nameFilesForPTX(llvm::SmallVectorImpl<char> &text);

/// Declares parameters and results of 65 to 127 bits as bytes. The back end
/// gives them a type that PTX has only from version 8.3 on. It already declares
/// 128 bits as bytes.
void writeWideParameters(llvm::SmallVectorImpl<char> &text);

/// Replaces instructions for signed bit-fields by two shifts; see fields.cpp.
void shiftForFields(llvm::SmallVectorImpl<char> &text);

/// Stores integers where ptxas would otherwise convert a floating-point number;
/// see stores.cpp.
void storeIntegers(llvm::SmallVectorImpl<char> &text);

/// The length of a comment or string at the start of \p text, or 0.
size_t lengthOfIgnored(llvm::StringRef text);

/// Replaces the names that gpu::cutCircles made by those of their variables.
/// PTX allows a variable to be declared .extern before it is defined, if the
/// types in both lines agree and the definition is .visible. Both lines are
/// needed, because an initial value may only refer to symbols that were
/// declared before it.
void declareForward(llvm::SmallVectorImpl<char> &text,
                    llvm::ArrayRef<gpu::Ahead> list);

/// Joins several modules into one. The last may define variables that the
/// others use. All other definitions have unique names.
llvm::Expected<std::string> joinPTX(llvm::ArrayRef<llvm::StringRef> parts);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_PTX_H
