// Number formats of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HOSTFORMATS_H
#define XCC_FRONTEND_UNIT_HOSTFORMATS_H

namespace clang {
class TargetInfo;
} // namespace clang

namespace xcc {

/// Makes a device's __float128 what the host's is. For AMD GPUs Clang takes it
/// for a double in 16 bytes, and the host's objects for others than they are.
void keepHostFormats(clang::TargetInfo &machine);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTFORMATS_H
