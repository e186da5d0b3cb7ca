// The table of resources that kernels use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_RESOURCES_H
#define XCC_DRIVER_RESOURCES_H

#include "targets/Target.h"
#include "llvm/Support/raw_ostream.h"

namespace xcc {

/// Prints the table of -foffload-resource-usage: a line for each kernel and
/// arch for which the back end reports resources.
void printResources(llvm::ArrayRef<DeviceImage> images, llvm::raw_ostream &os);

} // namespace xcc

#endif // XCC_DRIVER_RESOURCES_H
