// Inline PTX as C++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `asm("mad.lo.u32 %0, %1, %2, %1;" : "=r"(d) : "r"(a), "r"(b))` becomes a
// statement that calls the functions of <xcc/cuda/ptx.h>, which every device has.
// An assembly with one instruction that is not known stays as it is.

#ifndef XCC_FRONTEND_CUDA_PTXTRANSLATOR_H
#define XCC_FRONTEND_CUDA_PTXTRANSLATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace xcc {

struct PtxOperand {
  std::string name;       ///< of `[name] "r"(...)`
  std::string constraint; ///< such as "=r"
  std::string expression; ///< with its parentheses
};

/// The statement, on one line, without the semicolon behind it.
std::optional<std::string> translatePtx(llvm::StringRef text,
                                        llvm::ArrayRef<PtxOperand> operands);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_PTXTRANSLATOR_H
