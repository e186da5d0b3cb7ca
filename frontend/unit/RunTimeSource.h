// Source that a program compiles at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no host pass, because nothing in the text launches its kernels.
// Kernels are the functions with external linkage that the text defines, and
// those that the program names by expressions. The expressions become calls of
// kernel_info_for after the text. Each variable with external linkage gets the
// kernel of xcc::symbol.

#ifndef XCC_FRONTEND_UNIT_RUNTIMESOURCE_H
#define XCC_FRONTEND_UNIT_RUNTIMESOURCE_H

#include "KernelAction.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace xcc {

/// The type of a parameter or variable as another compiler's typeid gives it.
/// Of a reference, the type that it refers to.
struct NamedType {
  char kind = 'v'; ///< 'v' value, 'l' lvalue reference, 'r' rvalue reference
  std::string mangled;
};

struct NamedKernel {
  std::string symbol;
  std::vector<std::string> expressions; ///< expressions that name the kernel,
                                        ///< as given
  std::vector<NamedType> types;         ///< of its parameters
};

struct NamedVariable {
  std::string name;   ///< "ns::coefficients"
  std::string type;   ///< as the source has it
  std::string symbol; ///< of the kernel that returns its address
  NamedType mangled;
  uint64_t size = 0; ///< bytes
};

struct RunTimeSource {
  /// All files, the text among them.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  /// Expressions that name more kernels.
  std::vector<std::string> expressions;
  /// The name of a precompiled header in `files`, for the includes before the
  /// text; or empty. See Preamble.h.
  std::string preamble;

  // Results of a pass.
  std::vector<NamedKernel> kernels;
  std::vector<NamedVariable> variables;
};

/// The text with its name and the expressions, as it is compiled.
std::string wholeText(llvm::StringRef name, llvm::StringRef text,
                      llvm::ArrayRef<std::string> expressions);

/// Finds the kernels of a text and stores the results in `source`.
std::vector<FoundKernel> findSourceKernels(clang::Sema &sema,
                                           const SeenUnit &seen,
                                           const Warnings &warnings,
                                           llvm::StringRef unique,
                                           RunTimeSource &source);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_RUNTIMESOURCE_H
