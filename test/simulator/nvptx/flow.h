// Where diverged lanes meet again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_FLOW_H
#define XCC_SIMULATOR_NVPTX_FLOW_H

#include "code.h"

namespace ptx {

/// What the analysis must know of an instruction.
struct Step {
  bool ends = false;    ///< ret, exit, trap, unless guarded: nothing follows
  bool traps = false;   ///< a trap, or the end behind a call that never returns
  bool barrier = false; ///< an aligned one
  bool branch = false;
  bool guarded = false;
  bool meetsBehind = false; ///< a call whose lanes may go to several functions
  int call = -1;            ///< into Code::calls
  bool recurses = false;    ///< a call that may
  std::vector<uint32_t> to; ///< of a branch, without what follows it
};

/// For each branch, the instruction at which its lanes meet again, or Nowhere.
std::vector<uint32_t> findMeetings(const std::vector<Step> &steps);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_FLOW_H
