// Finds a CUDA toolkit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search order is: --cuda-path=, the environment, the usual directories.

#ifndef XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H
#define XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H

#include "targets/Target.h"
#include <string>
#include <vector>

namespace xcc::nvptx {

/// The path of CUDA's math library, or an empty string.
std::string findLibdevice(const DeviceCodegenOptions &options);

/// All ptxas programs, the preferred one first.
std::vector<std::string> assemblers(const DeviceCodegenOptions &options);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H
