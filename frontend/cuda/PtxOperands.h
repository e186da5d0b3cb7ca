// The operands and registers of inline PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_CUDA_PTXOPERANDS_H
#define XCC_FRONTEND_CUDA_PTXOPERANDS_H

#include "PtxTranslator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace xcc {

/// Where the functions are that translated instructions call.
constexpr llvm::StringLiteral PtxFunctions = "::xcc::cuda::ptx::";

/// A type of PTX's in C++; empty for one that is not known.
llvm::StringRef cxxTypeOfPtx(llvm::StringRef type);

/// A name of PTX's as a part of a name in C++.
std::string identifierOfPtx(llvm::StringRef name);

/// What the words of instructions are in C++.
class PtxOperands {
public:
  explicit PtxOperands(llvm::ArrayRef<PtxOperand> operands)
      : operands(operands) {}

  /// Variables of the operands. Sources are read before anything is written.
  std::string declarations() const;
  /// Variables for `.u32 a, b<3>` behind `.reg`.
  std::optional<std::string> declare(llvm::StringRef registers);

  /// The value of a register, an operand or an immediate.
  std::optional<std::string> source(llvm::StringRef word,
                                    llvm::StringRef type) const;
  /// A statement that writes a register or an operand.
  std::optional<std::string> put(llvm::StringRef to,
                                 const llvm::Twine &value) const;
  /// The sum of `[%1+16]`.
  std::optional<std::string> address(llvm::StringRef text) const;

private:
  llvm::ArrayRef<PtxOperand> operands;
  llvm::StringMap<std::string> registers; ///< names in C++

  std::optional<std::string> variable(llvm::StringRef word) const;
  bool isNarrow(llvm::StringRef word) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_PTXOPERANDS_H
