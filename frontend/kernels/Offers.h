// What a translation unit offers to device code of others
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What another unit can name and has no definition of: functions and variables
// that the host's object defines strongly, explicit instantiations, and the
// virtual functions of classes whose virtual table is this object's. What is
// inline, or a template's implicit instantiation, everyone has who needs it.

#ifndef XCC_FRONTEND_KERNELS_OFFERS_H
#define XCC_FRONTEND_KERNELS_OFFERS_H

#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace xcc {

struct Offers {
  std::vector<clang::FunctionDecl *> functions;
  std::vector<clang::VarDecl *> variables;
  /// Dynamic classes that are other units' to make objects of.
  std::vector<clang::CXXRecordDecl *> classes;
};

/// `decls` is the translation unit, as code generation sees it. Of a program's
/// (-foffload-main) also main and what runs before and after it.
Offers findOffers(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                  bool program);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_OFFERS_H
