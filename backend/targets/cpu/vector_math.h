// Mathematical functions of several threads at once, as part of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     y[i] = std::exp(x[i]);
//
// A call of the C library would run one thread after the other. Functions of our
// own (device-runtime/cpu/math) take its place and are inlined, so the vectoriser
// sees arithmetic. Every thread gets the same result for the same argument, in a
// vector or alone, at every -O level. Errors are below one unit in the last place
// (docs/math.md).
//
// A unit keeps the C library's functions if it asks for errno (-fmath-errno), for
// another vector library (-fveclib=) or for approximations (-ffast-math).

#ifndef XCC_BACKEND_TARGETS_CPU_VECTOR_MATH_H
#define XCC_BACKEND_TARGETS_CPU_VECTOR_MATH_H

#include "llvm/IR/PassManager.h"

namespace xcc {
struct GivenOptions;
}

namespace xcc::cpu {

/// Marks a unit's functions whose calls may be replaced.
void allowOwnMath(llvm::Module &module, const GivenOptions &given);

/// Replaces calls in marked functions. Runs when calls with constant arguments have
/// been simplified (std::pow(x, 2) is a product), and before threads become loops.
class InlineOwnMathPass : public llvm::PassInfoMixin<InlineOwnMathPass> {
public:
  /// \p fuses: the processor has fused multiply-adds.
  explicit InlineOwnMathPass(bool fuses) : fuses(fuses) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  bool fuses;
};

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_VECTOR_MATH_H
