// Layouts of the classes that host and device share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel's reference or pointer leads to was laid out by the host. Each
// pass writes down the layout of the classes in question, and both are compared:
// a macro or the alignment of a type that only one side has may make a class
// another one on the device.

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
  std::string name, file; ///< of the class, and where it is written
  unsigned line = 0, column = 0;
  uint64_t size = 0, alignment = 0; ///< bytes
  struct Part {
    std::string name;  ///< "'member'", "base 'B'"
    uint64_t bits = 0; ///< its offset
  };
  std::vector<Part> parts;
  /// Other units mean the same class by its name, and it is not the standard
  /// library's.
  bool ofProgram = false;
};

/// Layouts by a name that identifies a class in all passes.
using RecordLayouts = std::map<std::string, RecordLayout>;

/// Classes that device code is given or names: in what kernels take, in the
/// variables, and in what addresses there lead to.
RecordLayouts sharedLayouts(clang::ASTContext &context,
                            llvm::ArrayRef<FoundKernel> kernels,
                            llvm::ArrayRef<const clang::VarDecl *> variables);

/// All that the other pass may ask for: the same of the kernels, and of each
/// variable with static storage and each class among `decls`.
RecordLayouts allLayouts(clang::ASTContext &context,
                         llvm::ArrayRef<FoundKernel> kernels,
                         llvm::ArrayRef<clang::Decl *> decls);

/// What the link is told: the program's classes among those, and among what
/// `functions`, which other units may call, take and return. A line for each,
/// which backend/link/LayoutNotes.h reads.
std::string layoutNotes(clang::ASTContext &context, const RecordLayouts &shared,
                        llvm::ArrayRef<const clang::FunctionDecl *> functions);

/// What differs, in words; empty where nothing does.
std::string layoutDifference(const RecordLayout &host,
                             const RecordLayout &device);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_RECORDLAYOUTS_H
