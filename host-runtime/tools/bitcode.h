// Objects that -flto makes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_BITCODE_H
#define XCC_TOOLS_BITCODE_H

#include "formats/bytes.h"

#include <string>
#include <vector>

namespace xcc::rt {

bool isBitcode(Bytes file);

/// The .llvm.offloading section that the file will have once code is generated
/// for it. Only LLVM reads bitcode, so xcc does it, which is beside this
/// program. False, with \p why set, when it is not there or cannot.
bool readBitcode(Bytes file, std::vector<char> &section, std::string &why);

} // namespace xcc::rt
#endif // XCC_TOOLS_BITCODE_H
