// What a replay left in memory, beside what was recorded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_REPLAY_COMPARE_H
#define XCC_TOOLS_REPLAY_COMPARE_H

#include "folder.h"

namespace replay {

/// Prints where the memory differs from the launch's "after". Returns in how many
/// bytes.
uint64_t compare(const Launch &launch, const std::string &memory);

} // namespace replay
#endif // XCC_TOOLS_REPLAY_COMPARE_H
