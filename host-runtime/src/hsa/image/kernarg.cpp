// Filling a kernarg segment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernarg.h"

#include <cstring>

namespace xcc::rt::hsa {

static uint64_t valueOf(HiddenKind kind, const LaunchFacts &f) {
  switch (kind) {
  case HiddenKind::BlockCountX:
    return f.grid[0];
  case HiddenKind::BlockCountY:
    return f.grid[1];
  case HiddenKind::BlockCountZ:
    return f.grid[2];
  case HiddenKind::GroupSizeX:
    return f.block[0];
  case HiddenKind::GroupSizeY:
    return f.block[1];
  case HiddenKind::GroupSizeZ:
    return f.block[2];
  case HiddenKind::GridDims:
    return f.dimensions;
  case HiddenKind::DynamicLdsSize:
    return f.dynamicLds;
  case HiddenKind::HeapV1:
    return reinterpret_cast<uintptr_t>(f.heap);
  case HiddenKind::HostcallBuffer:
    return reinterpret_cast<uintptr_t>(f.hostcall);
  case HiddenKind::QueuePtr:
    return reinterpret_cast<uintptr_t>(f.queue);
  case HiddenKind::PrivateBase:
    return f.queue ? f.queue->privateApertureHigh : 0;
  case HiddenKind::SharedBase:
    return f.queue ? f.queue->groupApertureHigh : 0;
  // Always zero: blocks are whole, grids start at 0, others are unsupported.
  case HiddenKind::RemainderX:
  case HiddenKind::RemainderY:
  case HiddenKind::RemainderZ:
  case HiddenKind::GlobalOffsetX:
  case HiddenKind::GlobalOffsetY:
  case HiddenKind::GlobalOffsetZ:
  case HiddenKind::PrintfBuffer:
  case HiddenKind::DefaultQueue:
  case HiddenKind::CompletionAction:
  case HiddenKind::MultigridSyncArg:
  case HiddenKind::None:
    return 0;
  }
  return 0;
}

void fillKernarg(void *to, uint32_t segment, const void *arguments,
                 uint32_t explicitSize, const HiddenArgument *hidden,
                 uint32_t hiddenCount, const LaunchFacts &facts) {
  auto *bytes = static_cast<char *>(to);
  if (explicitSize)
    memcpy(bytes, arguments, explicitSize);
  if (segment != explicitSize)
    memset(bytes + explicitSize, 0, segment - explicitSize);
  for (uint32_t i = 0; i != hiddenCount; ++i) {
    // Little endian, so the low bytes come first.
    uint64_t value = valueOf(hidden[i].kind, facts);
    char *at = bytes + hidden[i].offset;
    switch (hidden[i].size) {
    case 1:
      memcpy(at, &value, 1);
      break;
    case 2:
      memcpy(at, &value, 2);
      break;
    case 4:
      memcpy(at, &value, 4);
      break;
    default:
      memcpy(at, &value, 8);
    }
  }
}

} // namespace xcc::rt::hsa
