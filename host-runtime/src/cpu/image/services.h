// The runtime functions that kernels call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_CPU_IMAGE_SERVICES_H
#define XCC_SRC_CPU_IMAGE_SERVICES_H

#include "xcc/abi.h"

namespace xcc::rt::cpu {

/// The table of functions that each image is given; see xcc_cpu_services.
extern const xcc_cpu_services Services;

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_IMAGE_SERVICES_H
