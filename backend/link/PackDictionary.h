// The dictionary for packed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A zstd dictionary that is trained on the device runtime's bitcode when xcc is
// built (train_dictionary.cpp). It is part of xcc. Each frame names the
// dictionary with which it was packed.

#ifndef XCC_BACKEND_LINK_PACKDICTIONARY_H
#define XCC_BACKEND_LINK_PACKDICTIONARY_H

#include "llvm/ADT/StringRef.h"

namespace xcc {

/// The dictionary as ZDICT_trainFromBuffer makes it.
llvm::StringRef packDictionary();

} // namespace xcc

#endif // XCC_BACKEND_LINK_PACKDICTIONARY_H
