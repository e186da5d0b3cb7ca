// What the host runs for device code
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
  /// host_(object_)entry<...>, until code is generated.
  clang::FunctionDecl *decl = nullptr;
  bool isUnitsOwn = false; ///< of no other translation unit
  std::string irName;      ///< filled in by a pass
  std::string name;        ///< for messages: "record(int)"
  uint64_t id = 0;         ///< the same in every pass
};

/// A specialization for a function and types of the function template xcc::name
/// in <xcc/host_call.h>: an entry, or what stands for one on a device. Null where
/// the header has none.
clang::FunctionDecl *instantiateForHost(
    clang::Sema &sema, llvm::StringRef name, clang::FunctionDecl *fn,
    llvm::ArrayRef<clang::TemplateArgument> types, clang::SourceLocation at);

/// The parameters' types as the function's type has them, which is how both
/// sides of a call name them: a ParmVarDecl may be `char *__restrict`.
llvm::SmallVector<clang::TemplateArgument, 8>
paramTypes(clang::ASTContext &context, const clang::FunctionDecl *fn);

/// The types a call's message is made of: the function's parameters, then what
/// a variadic call adds.
llvm::SmallVector<clang::TemplateArgument, 8>
messageTypes(clang::ASTContext &context, const clang::FunctionDecl *fn,
             const clang::CallExpr *call, unsigned firstArg);

/// Every entry that this translation unit's calls name, in an order and with
/// numbers that do not depend on the pass; instantiated in the host pass.
std::vector<HostEntry> hostEntries(clang::Sema &sema, llvm::StringRef unique);

/// Device modules: the addresses of entries become their numbers.
void numberHostEntries(llvm::Module &module, llvm::ArrayRef<HostEntry> entries);

/// Host modules: a table of the entries, registered before main.
void registerHostEntries(llvm::Module &module,
                         llvm::ArrayRef<HostEntry> entries);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_HOSTENTRIES_H
