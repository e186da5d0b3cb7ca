// Writes the object that adds images to a host link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IMAGEOBJECT_H
#define XCC_BACKEND_LINK_IMAGEOBJECT_H

#include "DeviceLink.h"

namespace xcc {

/// Writes to `path` a host object with the images as OffloadBinary in a loaded
/// .llvm.offloading section. With `hasRecord`, which units with kernels or
/// images need, it also contains the linked unit's record (__xcc_binary, see
/// xcc/abi.h) and a destructor that unloads the unit. With `program`
/// (-foffload-main), the loader registers the unit, which stays loaded. A
/// shared library's exports are in a loaded section, so that strip does not
/// remove them.
llvm::Error writeImageObject(const DeviceLinkResult &linked, bool hasRecord,
                             llvm::StringRef triple, llvm::StringRef path,
                             bool program);

/// The images as a sequence of OffloadBinary files.
std::string packImages(llvm::ArrayRef<DeviceImage> images);

} // namespace xcc

#endif // XCC_BACKEND_LINK_IMAGEOBJECT_H
