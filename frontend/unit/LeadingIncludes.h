// The includes at the beginning of a source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_LEADINGINCLUDES_H
#define XCC_FRONTEND_UNIT_LEADINGINCLUDES_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xcc {

/// Whether nothing comes before the inclusion of <xcc/xcc.h> but comments and
/// `#include <...>` of the standard library's headers, whose order has no
/// meaning. Sets `before` to the names of these.
bool beginsWithHeader(llvm::StringRef text, const clang::LangOptions &lang,
                      std::vector<std::string> &before);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_LEADINGINCLUDES_H
