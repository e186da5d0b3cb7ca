// Source places as objects and programs store them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel tables, launch sites and the types of lambdas contain names of files.
// -ffile-prefix-map= and similar options replace the folder in them.
// Diagnostics name the real files.

#ifndef XCC_FRONTEND_KERNELS_FIND_WRITTENPLACES_H
#define XCC_FRONTEND_KERNELS_FIND_WRITTENPLACES_H

#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class ASTContext;
class CompilerInvocation;
} // namespace clang

namespace xcc {

/// The path as __FILE__ has it under -fmacro-prefix-map=. If no such option
/// applies, as debug information has it under -fdebug-prefix-map=.
std::string writtenPath(const clang::CompilerInvocation &invocation,
                        llvm::StringRef path);

/// Makes the names of types and the places of a context use writtenPath, from
/// use() until this object is destroyed.
class WrittenPlaces final : public clang::PrintingCallbacks {
public:
  explicit WrittenPlaces(const clang::CompilerInvocation &invocation)
      : invocation(invocation) {}
  void use(clang::ASTContext &context) const;
  std::string remapPath(llvm::StringRef path) const override {
    return writtenPath(invocation, path);
  }

private:
  const clang::CompilerInvocation &invocation;
};

struct WrittenPlace {
  std::string file; ///< empty if unknown
  unsigned line = 0, column = 0;
};

/// The place of a token; for a token of a macro, the place that uses the macro.
WrittenPlace writtenPlace(const clang::ASTContext &context,
                          clang::SourceLocation at);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_WRITTENPLACES_H
