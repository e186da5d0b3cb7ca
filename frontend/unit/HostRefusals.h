// Units whose kernels cannot be compiled at all
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HOSTREFUSALS_H
#define XCC_FRONTEND_UNIT_HOSTREFUSALS_H

#include "DiagnosticLog.h"
#include "EndConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"
#include <string>

namespace xcc {

/// All that the unit has of <xcc/xcc.h> comes out of `headerModule`, which was
/// made for the host: no device pass can read it. Returns whether something was
/// refused.
bool refuseOfModule(clang::Sema &sema, const SeenUnit &seen,
                    llvm::StringRef headerModule);

/// Descriptors are written by a pass, and -disable-llvm-passes leaves it out.
void refuseWithoutPasses(clang::Sema &sema,
                         llvm::ArrayRef<FoundKernel> kernels);

/// Preprocessed text, precompiled modules and ASTs hold what the host pass saw
/// of <xcc/xcc.h>: a device pass over them would compile another program.
void refuseHidden(llvm::ArrayRef<std::string> kernels, DiagnosticLog &log);

/// Reports a file that Clang compiles as another language because of its name, at
/// its include of our header. No other message follows.
void refuseLanguage(llvm::StringRef language, clang::CompilerInstance &ci);

/// Descriptors and the runtime are laid out for one kind of host. `asker` is
/// what asks for device passes. Returns false after a message.
bool hostIsKnown(const llvm::Triple &host, llvm::StringRef asker,
                 DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTREFUSALS_H
