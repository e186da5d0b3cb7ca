// No contraction in Clang's headers of x86 intrinsics in a device pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers write most instructions as C++: _mm_mul_ps is a product,
// _mm_add_ps a sum. A device pass may contract both to one operation. But two
// instructions must round twice: libraries compute the part that rounding
// loses, and results would differ from the host's.

#ifndef XCC_FRONTEND_UNIT_INTRINSICSHEADERS_H
#define XCC_FRONTEND_UNIT_INTRINSICSHEADERS_H

#include "clang/Frontend/Utils.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace xcc {

/// Behaves as if each of the headers began with "#pragma clang fp
/// contract(off)".
class IntrinsicsHeaders : public clang::DependencyCollector {
public:
  explicit IntrinsicsHeaders(clang::CompilerInstance &ci) : ci(ci) {}
  void attachToPreprocessor(clang::Preprocessor &pp) override;
  void attachToASTReader(clang::ASTReader &) override {}

private:
  clang::CompilerInstance &ci;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_INTRINSICSHEADERS_H
