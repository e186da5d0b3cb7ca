// The object that carries images into a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IMAGEOBJECT_H
#define XCC_BACKEND_LINK_IMAGEOBJECT_H

#include "targets/Target.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Writes to `path` a host object with the images as OffloadBinary in a loaded
/// .llvm.offloading section, the linked unit's record (__xcc_binary, see
/// xcc/abi.h), and a destructor that unloads the unit.
llvm::Error writeImageObject(llvm::ArrayRef<DeviceImage> images,
                             llvm::StringRef triple, llvm::StringRef path);

} // namespace xcc

#endif // XCC_BACKEND_LINK_IMAGEOBJECT_H
