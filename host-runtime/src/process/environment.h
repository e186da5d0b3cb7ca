// The variables that programs built by xcc read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_PROCESS_ENVIRONMENT_H
#define XCC_SRC_PROCESS_ENVIRONMENT_H

#include <span>
#include <string_view>
#include <vector>

namespace xcc::rt {

struct Variable {
  const char *name, *values, *meaning;
};

/// All of them, from environment.def.
std::span<const Variable> variables();

/// The names of variables XCC_... of the environment that are none of these.
std::vector<std::string_view> unknownVariables();

/// At the first use of a device: lists them with XCC_HELP=1, and says of a
/// variable that looks like one of them which one was probably meant.
void helpWithEnvironment();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_ENVIRONMENT_H
