// An error that is a bug of xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_INTERNALERROR_H
#define XCC_BACKEND_SUPPORT_INTERNALERROR_H

#include "llvm/ADT/Twine.h"
#include <string>

namespace xcc {

/// The text of an error that no source should be able to cause.
inline std::string internalError(const llvm::Twine &what) {
  return ("internal error: " + what + "; please report this to the xcc project")
      .str();
}

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_INTERNALERROR_H
