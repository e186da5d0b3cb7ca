// Unpacks the modules of a link
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

/// Unpacks modules to bitcode, on all cores. Uses and fills the cache, if there
/// is one. Hits are not counted in its statistics.
llvm::Error unpackInputs(llvm::ArrayRef<DeviceModule *> inputs,
                         ResultCache *cache);

} // namespace xcc

#endif // XCC_BACKEND_LINK_UNPACKINPUTS_H
