// Layouts of the classes that host and device share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host laid out what a kernel's reference or pointer leads to. A macro that
// only one side defines, or the alignment of a type, may give a class another
// layout on the device. So each pass records the layouts of the shared classes,
// and the two are compared.

#ifndef XCC_FRONTEND_KERNELS_CHECK_RECORDLAYOUTS_H
#define XCC_FRONTEND_KERNELS_CHECK_RECORDLAYOUTS_H

#include "kernels/find/KernelFinder.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>
#include <vector>

namespace xcc {

struct RecordLayout {
  std::string name, file; ///< of the class; and the file that defines it
  unsigned line = 0, column = 0;
  uint64_t size = 0, alignment = 0; ///< bytes
  struct Part {
    std::string name;  ///< "'member'", "base 'B'"
    uint64_t bits = 0; ///< its offset
  };
  std::vector<Part> parts;
  /// Whether units identify the class by its name, and it is not a class of the
  /// standard library or of xcc.
  bool ofProgram = false;
};

/// Layouts by a name that identifies a class in all passes.
using RecordLayouts = std::map<std::string, RecordLayout>;

/// The layouts of classes that device code is given or names: in the kernels'
/// parameters, in `variables`, and behind the addresses in them.
RecordLayouts sharedLayouts(clang::ASTContext &context,
                            llvm::ArrayRef<FoundKernel> kernels,
                            llvm::ArrayRef<const clang::VarDecl *> variables);

/// All layouts that the other pass may need: of the kernels, and of each
/// variable with static storage and each class among `decls`.
RecordLayouts allLayouts(clang::ASTContext &context,
                         llvm::ArrayRef<FoundKernel> kernels,
                         llvm::ArrayRef<clang::Decl *> decls);

/// Notes for the link: the program's classes among `shared`, and among the
/// parameters and results of `functions`, which other units may call. One line
/// for each, read by backend/link/LayoutNotes.h.
std::string layoutNotes(clang::ASTContext &context, const RecordLayouts &shared,
                        llvm::ArrayRef<const clang::FunctionDecl *> functions);

/// Describes the first difference; empty if the layouts are equal.
std::string layoutDifference(const RecordLayout &host,
                             const RecordLayout &device);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_RECORDLAYOUTS_H
