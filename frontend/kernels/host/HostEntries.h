// Entries on the host for calls from device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_HOST_HOSTENTRIES_H
#define XCC_FRONTEND_KERNELS_HOST_HOSTENTRIES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
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
  /// host_entry or host_object_entry<...>; invalid after code generation
  clang::FunctionDecl *decl = nullptr;
  bool isInternalToUnit = false; ///< internal to this translation unit
  std::string irName;            ///< set by a pass
  std::string name;              ///< for messages: "record(int)"
  uint64_t id = 0;               ///< the same in every pass
};

/// A specialization, for a function and types, of the function template
/// xcc::name in <xcc/host_call.h>: an entry, or its stub on a device. Null if
/// the header has no such template.
clang::FunctionDecl *instantiateForHost(
    clang::Sema &sema, llvm::StringRef name, clang::FunctionDecl *fn,
    llvm::ArrayRef<clang::TemplateArgument> types, clang::SourceLocation at);

/// The types of the parameters in the function's type. Both sides of a call use
/// these to name the entry: a ParmVarDecl's type may have qualifiers, as in
/// `char *__restrict`.
llvm::SmallVector<clang::TemplateArgument, 8>
paramTypes(clang::ASTContext &context, const clang::FunctionDecl *fn);

/// The types in a call's message: those of the function's parameters, then
/// those of a variadic call's further arguments.
llvm::SmallVector<clang::TemplateArgument, 8>
messageTypes(clang::ASTContext &context, const clang::FunctionDecl *fn,
             const clang::CallExpr *call, unsigned firstArg);

/// All entries that this translation unit's calls name. Order and numbers do
/// not depend on the pass. The host pass instantiates them.
std::vector<HostEntry> hostEntries(clang::Sema &sema, llvm::StringRef unique);

/// Device modules: replaces the addresses of entries by their numbers.
void numberHostEntries(llvm::Module &module, llvm::ArrayRef<HostEntry> entries);

/// Host modules: adds a table of the entries, which is registered before main.
void registerHostEntries(llvm::Module &module,
                         llvm::ArrayRef<HostEntry> entries);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_HOSTENTRIES_H
