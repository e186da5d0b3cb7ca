// Errors for units whose kernels cannot be compiled at all
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HOSTREJECTIONS_H
#define XCC_FRONTEND_UNIT_HOSTREJECTIONS_H

#include "DiagnosticLog.h"
#include "EndConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"
#include <string>

namespace xcc {

/// Reports a unit whose <xcc/xcc.h> comes only from `headerModule`, which was
/// made for the host, so that no device pass can read it. Returns whether there
/// was an error.
bool rejectImported(clang::Sema &sema, const SeenUnit &seen,
                    llvm::StringRef headerModule);

/// Reports kernels under -disable-llvm-passes: a pass writes their descriptors.
void rejectWithoutPasses(clang::Sema &sema,
                         llvm::ArrayRef<FoundKernel> kernels);

/// Reports kernels from preprocessed text, precompiled modules or ASTs. These
/// hold what the host pass saw of <xcc/xcc.h>; a device pass over them would
/// compile another program.
void rejectHidden(llvm::ArrayRef<std::string> kernels, DiagnosticLog &log);

/// Reports a file that Clang compiles as another language because of its name,
/// at its include of xcc's header. No other message follows.
void rejectLanguage(llvm::StringRef language, clang::CompilerInstance &ci);

/// Reports hosts other than x86-64 Linux: descriptors and runtime have one
/// layout. `asker` is the option or header that needs device passes. Returns
/// false after a message.
bool hostIsKnown(const llvm::Triple &host, llvm::StringRef asker,
                 DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTREJECTIONS_H
