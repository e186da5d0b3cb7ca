// Definitions that a unit exports to other units' device code without a mark
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the definitions that another unit can name without having them:
// functions and variables that the host's object defines strongly, explicit
// instantiations, and the virtual functions of classes whose virtual table is in
// this object. Inline functions and implicit instantiations are not exported,
// because each unit that uses them has its own. XCC_EXPORT marks explicit exports
// (ExportMarks.h).

#ifndef XCC_FRONTEND_KERNELS_WALK_IMPLICITEXPORTS_H
#define XCC_FRONTEND_KERNELS_WALK_IMPLICITEXPORTS_H

#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace xcc {

struct ImplicitExports {
  std::vector<clang::FunctionDecl *> functions;
  std::vector<clang::VarDecl *> variables;
  /// Dynamic classes; other units may construct objects of them.
  std::vector<clang::CXXRecordDecl *> classes;
};

/// `decls` is the translation unit, as code generation sees it. With `program`
/// (-foffload-main), includes main and what runs before and after it.
ImplicitExports findImplicitExports(clang::Sema &sema,
                                    llvm::ArrayRef<clang::Decl *> decls,
                                    bool program);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_IMPLICITEXPORTS_H
