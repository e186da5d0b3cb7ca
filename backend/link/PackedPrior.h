// What packed bitcode begins with having learnt
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The samples of link/prior, packed, are PackedPrior.inc. What a model knows
// that has read them is computed when xcc is built, by link/prior/learn.cpp, and
// is part of xcc: no compile reads them again.

#ifndef XCC_BACKEND_LINK_PACKEDPRIOR_H
#define XCC_BACKEND_LINK_PACKEDPRIOR_H

#include "llvm/ADT/StringRef.h"

namespace xcc {

/// As learnPrior (PackedBitcode.h) has made it.
llvm::StringRef learntPrior();

} // namespace xcc

#endif // XCC_BACKEND_LINK_PACKEDPRIOR_H
