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
  const char *name;
  void (*gather)(Warp &, const Inst &, uint32_t lanes);
  /// \p all: the lanes that take part, of which these are some.
  void (*finish)(Warp &, const Inst &, uint32_t lanes, uint32_t all);
};

/// bar.red's result for the lanes of a group that waited.
void finishBarrier(Warp &w, const Group &g, const Inst &i, uint32_t threads,
                   bool all, bool any);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_SYNC_H
