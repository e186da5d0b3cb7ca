// Runs lld in this process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_LINK_H
#define XCC_BACKEND_LINK_LINK_H

#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace xcc {

/// Links ELF objects with lld and returns the output. Thread-safe; lld itself
/// runs once at a time. With options.saveTempsPrefix there is one object, which
/// is kept as <prefix>.o, and the result as <prefix>.so.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkWithLLD(llvm::ArrayRef<llvm::StringRef> objects,
            llvm::ArrayRef<std::string> args,
            const DeviceCodegenOptions &options);

/// Runs lld with a complete command line, as a host link does. Adds its
/// messages to `messages`. Returns false on failure.
bool runLLD(llvm::ArrayRef<std::string> args, std::string &messages);

/// Call after a longjmp out of one of the above: unlocks lld for other links.
/// Returns lld's messages.
std::string abandonLink();

} // namespace xcc

#endif // XCC_BACKEND_LINK_LINK_H
