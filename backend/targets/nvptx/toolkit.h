// The CUDA toolkit, where there is one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --cuda-path=, then the environment, then where toolkits usually lie.

#ifndef XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H
#define XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H

#include "targets/Target.h"
#include <string>
#include <vector>

namespace xcc::nvptx {

/// The path of CUDA's math library, empty where there is none.
std::string findLibdevice(const DeviceCodegenOptions &options);

/// Every ptxas there is, best first.
std::vector<std::string> assemblers(const DeviceCodegenOptions &options);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_TOOLKIT_H
