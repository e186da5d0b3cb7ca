// A recorded launch, run again in this process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_REPLAY_RERUN_H
#define XCC_TOOLS_REPLAY_RERUN_H

#include "folder.h"

namespace replay {

struct Outcome {
  std::string failure; ///< the launch's; empty if it ended
  std::string memory; ///< after the last run, as in "after"; empty if it failed
  std::vector<double> milliseconds; ///< of each run, with the wait for it
  std::string device;               ///< that it ran on
};

/// Runs the launch \p times times on the device that XCC_DEVICE names, each time
/// with the memory of before. Once for each process: memory stays where it was
/// placed. Throws Failure if it cannot be run there.
Outcome rerun(const Launch &launch, unsigned times);

} // namespace replay
#endif // XCC_TOOLS_REPLAY_RERUN_H
