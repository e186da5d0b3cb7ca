// The modules of a link out of what objects hold of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_UNPACKINPUTS_H
#define XCC_BACKEND_LINK_UNPACKINPUTS_H

#include "DeviceModule.h"
#include "support/ResultCache.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Makes bitcode of what is packed, on all cores. What was unpacked by earlier
/// links is taken from the cache, if there is one, which is not counted there.
llvm::Error unpackInputs(llvm::ArrayRef<DeviceModule *> inputs,
                         ResultCache *cache);

} // namespace xcc

#endif // XCC_BACKEND_LINK_UNPACKINPUTS_H
