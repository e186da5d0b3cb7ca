// What a link says nothing of, said where its objects were compiled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_ADOPTEDOPTIONS_H
#define XCC_BACKEND_LINK_ADOPTEDOPTIONS_H

#include "DeviceLink.h"

namespace xcc {

/// The options for one target's code. What the link was told holds; else the
/// inputs have to agree in a target's option, since one image has one of each.
/// The highest level that kernels were compiled for counts, and any -g.
llvm::Expected<DeviceCodegenOptions>
adoptOptions(const Target &target, llvm::ArrayRef<DeviceModule *> inputs,
             const DeviceLinkOptions &link);

} // namespace xcc

#endif // XCC_BACKEND_LINK_ADOPTEDOPTIONS_H
