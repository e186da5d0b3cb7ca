// Device code calls host functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of xcc::host_call, or of a function marked XCC_HOST, needs an entry on
// the host: a specialization of host_entry in <xcc/host_call.h>, which takes a
// message apart and calls the function. A device pass makes the call send that
// entry's number; the host pass compiles the entry and registers it under the
// number, which is a hash of its name.

#ifndef XCC_FRONTEND_KERNELS_HOSTCALLS_H
#define XCC_FRONTEND_KERNELS_HOSTCALLS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Sema;
}
namespace llvm {
class Module;
}

namespace xcc {

/// A function that device code calls on the host.
struct HostEntry {
  clang::FunctionDecl *decl = nullptr; ///< host_(object_)entry<...>
  std::string irName;                  ///< filled in by a pass
  std::string name;                    ///< for messages: "record(int)"
  uint64_t id = 0;                     ///< the same in every pass
};

/// Whether a call is one of host_call's or of a marked function.
bool isHostCall(const clang::CallExpr *call);

/// Finds or declares the entry of a host call, before code is generated for
/// it; in a device pass, the call then names the entry. What is wrong is
/// reported by the host pass.
void prepareHostCall(clang::Sema &sema, clang::CallExpr *call);

/// Why a function that nothing defines for a device cannot become a call of
/// the host by itself; empty when it can. More can where the device shares the
/// host's memory.
std::string whyNotGenerated(clang::ASTContext &context,
                            const clang::FunctionDecl *function,
                            bool sharesMemory);

/// Whether it is one of the C or C++ standard library's, compiled, or of what
/// these bring: what images of the CPU device are linked with.
bool standardLibraryDefines(const clang::FunctionDecl *function);

/// -foffload-host-calls: the entry of such a function and, in a device pass,
/// what stands for it; null in the host pass, which reports what is copied.
clang::FunctionDecl *generateHostCall(clang::Sema &sema,
                                      clang::FunctionDecl *function,
                                      clang::SourceLocation at,
                                      bool sharesMemory);

/// The same for one call of a variadic function: what it passes beyond the
/// parameters is the call's. In a device pass, the call is redirected, and what
/// it calls returned; null where it cannot be.
clang::FunctionDecl *generateVariadicCall(clang::Sema &sema,
                                          clang::CallExpr *call,
                                          bool sharesMemory);

/// Every entry that this translation unit's calls name, in an order and with
/// numbers that do not depend on the pass; instantiated in the host pass.
std::vector<HostEntry> hostEntries(clang::Sema &sema, llvm::StringRef unique);

/// Device modules: the addresses of entries become their numbers.
void numberHostEntries(llvm::Module &module, llvm::ArrayRef<HostEntry> entries);

/// Host modules: a table of the entries, registered before main.
void registerHostEntries(llvm::Module &module,
                         llvm::ArrayRef<HostEntry> entries);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOSTCALLS_H
