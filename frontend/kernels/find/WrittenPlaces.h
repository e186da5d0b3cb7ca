// Places in the source, as descriptors and messages have them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects and programs name files: in kernel tables, at launch sites, in the
// types of lambdas. -ffile-prefix-map= and its kin say what stands there for
// the folder that they were compiled in. Diagnostics name the files themselves.

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

/// A path as -fmacro-prefix-map= has it for __FILE__; where that says nothing
/// of it, as -fdebug-prefix-map= has it for debuggers.
std::string writtenPath(const clang::CompilerInvocation &invocation,
                        llvm::StringRef path);

/// Has the names of types and the places of a context say writtenPath, from
/// `use` on to its own end.
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
  std::string file; ///< empty where nothing is known
  unsigned line = 0, column = 0;
};

/// The place of a token; for a token of a macro, the place that uses the macro.
WrittenPlace writtenPlace(const clang::ASTContext &context,
                          clang::SourceLocation at);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_WRITTENPLACES_H
