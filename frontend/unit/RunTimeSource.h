// Source that a program compiles while it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no host pass: nothing in the text launches its kernels. They are the
// functions of external linkage that the text defines, and those that the program
// names by expressions, which become calls of kernel_info_for behind the text.
// Each variable of external linkage has the kernel of xcc::symbol.

#ifndef XCC_FRONTEND_UNIT_RUNTIMESOURCE_H
#define XCC_FRONTEND_UNIT_RUNTIMESOURCE_H

#include "KernelAction.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace xcc {

/// The type of a parameter, or of a variable, as another compiler's typeid says
/// it: what it refers to, where it is a reference.
struct NamedType {
  char kind = 'v'; ///< 'v' value, 'l' lvalue reference, 'r' rvalue reference
  std::string mangled;
};

struct NamedKernel {
  std::string symbol;
  std::vector<std::string> expressions; ///< that name it, as they were given
  std::vector<NamedType> types;         ///< of its parameters
};

struct NamedVariable {
  std::string name;   ///< "ns::coefficients"
  std::string type;   ///< as the source has it
  std::string symbol; ///< of the kernel that tells where it is
  NamedType mangled;
  uint64_t size = 0; ///< bytes
};

struct RunTimeSource {
  /// All files there are, with the text among them.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  /// Expressions that name more kernels.
  std::vector<std::string> expressions;
  /// Among the files: a precompiled header of what is included before the text,
  /// for the next pass; or empty. See Preamble.h.
  std::string preamble;

  // What a pass finds.
  std::vector<NamedKernel> kernels;
  std::vector<NamedVariable> variables;
};

/// The text as it is compiled: under its name, with the expressions.
std::string wholeText(llvm::StringRef name, llvm::StringRef text,
                      llvm::ArrayRef<std::string> expressions);

/// Finds the kernels of a text, and fills what is found.
std::vector<FoundKernel> findSourceKernels(clang::Sema &sema,
                                           const SeenUnit &seen,
                                           const Warnings &warnings,
                                           llvm::StringRef unique,
                                           RunTimeSource &source);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_RUNTIMESOURCE_H
