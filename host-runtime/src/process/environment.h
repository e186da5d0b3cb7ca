// Environment variables of programs built by xcc
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

/// All variables of environment.def.
std::span<const Variable> variables();

/// The names XCC_... in the environment that are not in the list.
std::vector<std::string_view> unknownVariables();

/// Called at the first use of a device. With XCC_HELP=1 lists the variables.
/// Warns of a variable in the environment whose name is close to one of the
/// list.
void helpWithEnvironment();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_ENVIRONMENT_H
