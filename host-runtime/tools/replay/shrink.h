// A recorded launch without the memory that it does not use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_REPLAY_SHRINK_H
#define XCC_TOOLS_REPLAY_SHRINK_H

#include "folder.h"

namespace replay {

/// Takes away memory without which a replay ends in the same way, and leaves the
/// same in all other memory. Each try is a process. This one must not have used
/// the runtime. Throws Failure if the launch cannot be run.
void shrink(Launch &launch);

} // namespace replay
#endif // XCC_TOOLS_REPLAY_SHRINK_H
