// From a module to a code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_CODEGEN_H
#define XCC_BACKEND_TARGETS_AMDGCN_CODEGEN_H

#include "gpu/Passes.h"
#include "targets/Codegen.h"

namespace xcc::amdgcn {

inline constexpr llvm::StringLiteral Triple = "amdgcn-amd-amdhsa";

/// Makes the code generator of an arch that parseTargetID knows.
std::unique_ptr<Codegen> makeCodegen(const CodegenInput &input,
                                     gpu::BarrierOps barriers);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_CODEGEN_H
