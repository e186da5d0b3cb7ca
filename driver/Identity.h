// The version line of xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_IDENTITY_H
#define XCC_DRIVER_IDENTITY_H

#include "Plan.h"

namespace xcc {

/// The line for --version. It changes with the device runtimes too, because
/// their code becomes part of programs.
std::string versionLine(const Installation &installation);

} // namespace xcc

#endif // XCC_DRIVER_IDENTITY_H
