// The object that carries images into a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IMAGEOBJECT_H
#define XCC_BACKEND_LINK_IMAGEOBJECT_H

#include "DeviceLink.h"

namespace xcc {

/// Writes to `path` a host object with the images as OffloadBinary in a loaded
/// .llvm.offloading section, the linked unit's record (__xcc_binary, see
/// xcc/abi.h), and a destructor that unloads the unit: if `hasRecord`, which
/// whoever has kernels or images needs. A program's (-foffload-main) is its
/// loader's to register, and stays loaded. Of a shared library it has what others
/// are exported, in a section that is loaded, so that nothing that strips files
/// takes it out.
llvm::Error writeImageObject(const DeviceLinkResult &linked, bool hasRecord,
                             llvm::StringRef triple, llvm::StringRef path,
                             bool program);

/// The images as OffloadBinary, one behind the other.
std::string packImages(llvm::ArrayRef<DeviceImage> images);

} // namespace xcc

#endif // XCC_BACKEND_LINK_IMAGEOBJECT_H
