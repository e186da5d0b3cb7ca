// Copies of entries that need no staging copy
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/copies.h"

namespace xcc::rt {

xcc_status Copies::add(const Entry &e, const Spans &what, Direction direction) {
  const bool together = gathers(memory.on, e);
  if (together) {
    bytes_ += what.total();
    ++entries_;
  }
  xcc_status status = XCC_SUCCESS;
  for (const Span &s : what) {
    Place there = memory.place(*e.block, e.device + s.offset);
    Place here{.at = reinterpret_cast<char *>(e.begin) + s.offset};
    const CopyPart part = direction == ToDevice
                              ? CopyPart{there, here, s.bytes}
                              : CopyPart{here, there, s.bytes};
    if (together) {
      memory.parts.push_back(part);
      continue;
    }
    xcc_status one = in.copy(part.to, part.from, part.bytes);
    if (status == XCC_SUCCESS)
      status = one;
  }
  return status;
}

/// Lists with a larger capacity are freed.
static constexpr size_t MostKept = 10'000;

xcc_status Copies::end() {
  xcc_status status = in.copyParts(memory.parts);
  if (memory.parts.capacity() > MostKept)
    memory.parts = {};
  return status;
}

} // namespace xcc::rt
