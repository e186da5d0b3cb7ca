// From a module to PTX and cubins
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_CODEGEN_H
#define XCC_BACKEND_TARGETS_NVPTX_CODEGEN_H

#include "gpu/Passes.h"
#include "targets/Codegen.h"

namespace xcc::nvptx {

inline constexpr llvm::StringLiteral Triple = "nvptx64-nvidia-cuda";

std::unique_ptr<Codegen> makeCodegen(const CodegenInput &input,
                                     gpu::BarrierOps barriers);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_CODEGEN_H
