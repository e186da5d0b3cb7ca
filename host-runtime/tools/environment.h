// The variables that programs built by xcc read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_ENVIRONMENT_H
#define XCC_TOOLS_ENVIRONMENT_H

namespace xcc::rt {

/// Prints each variable, its value here if it has one, and what it does; then
/// what of the environment nobody reads or understands. False: there is such.
bool listEnvironment();

} // namespace xcc::rt
#endif // XCC_TOOLS_ENVIRONMENT_H
