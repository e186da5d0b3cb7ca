// Options that a link takes from its objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_ADOPTEDOPTIONS_H
#define XCC_BACKEND_LINK_ADOPTEDOPTIONS_H

#include "DeviceLink.h"

namespace xcc {

/// The options for one target's code. Options of the link's command line win.
/// Otherwise the inputs must agree in each option of the target, because an
/// image has one value. The optimisation level is the highest of the inputs
/// with kernels; debug information is generated if any input has -g.
llvm::Expected<DeviceCodegenOptions>
adoptOptions(const Target &target, llvm::ArrayRef<DeviceModule *> inputs,
             const DeviceLinkOptions &link);

} // namespace xcc

#endif // XCC_BACKEND_LINK_ADOPTEDOPTIONS_H
