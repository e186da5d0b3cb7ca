// Instructions that lanes execute together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_SYNC_H
#define XCC_SIMULATOR_NVPTX_SYNC_H

#include "machine.h"

namespace ptx {

/// One kind of *.sync instruction. Lanes may come to it in several groups: what
/// all give is gathered first.
struct SyncOperation {
  const char *Name;
  void (*Gather)(Warp &, const Inst &, uint32_t Lanes);
  /// \p All: the lanes that take part, of which these are some.
  void (*Finish)(Warp &, const Inst &, uint32_t Lanes, uint32_t All);
};

/// bar.red's result for the lanes of a group that waited.
void finishBarrier(Warp &W, const Group &G, const Inst &I, uint32_t Threads,
                   bool All, bool Any);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_SYNC_H
