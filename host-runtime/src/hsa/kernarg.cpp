// Filling a kernarg segment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernarg.h"

#include <cstring>

namespace xcc::rt::hsa {

static uint64_t valueOf(HiddenKind Kind, const LaunchFacts &F) {
  switch (Kind) {
  case HiddenKind::BlockCountX:
    return F.Grid[0];
  case HiddenKind::BlockCountY:
    return F.Grid[1];
  case HiddenKind::BlockCountZ:
    return F.Grid[2];
  case HiddenKind::GroupSizeX:
    return F.Block[0];
  case HiddenKind::GroupSizeY:
    return F.Block[1];
  case HiddenKind::GroupSizeZ:
    return F.Block[2];
  case HiddenKind::GridDims:
    return F.Dimensions;
  case HiddenKind::DynamicLdsSize:
    return F.DynamicLds;
  case HiddenKind::HeapV1:
    return reinterpret_cast<uintptr_t>(F.Heap);
  case HiddenKind::HostcallBuffer:
    return reinterpret_cast<uintptr_t>(F.Hostcall);
  case HiddenKind::QueuePtr:
    return reinterpret_cast<uintptr_t>(F.Queue);
  case HiddenKind::PrivateBase:
    return F.Queue ? F.Queue->PrivateApertureHigh : 0;
  case HiddenKind::SharedBase:
    return F.Queue ? F.Queue->GroupApertureHigh : 0;
  // Blocks are whole and grids start at 0; nothing else is offered.
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

void fillKernarg(void *To, uint32_t Segment, const void *Arguments,
                 uint32_t Explicit, const HiddenArgument *Hidden,
                 uint32_t HiddenCount, const LaunchFacts &Facts) {
  auto *Bytes = static_cast<char *>(To);
  if (Explicit)
    memcpy(Bytes, Arguments, Explicit);
  if (Segment != Explicit)
    memset(Bytes + Explicit, 0, Segment - Explicit);
  for (uint32_t I = 0; I != HiddenCount; ++I) {
    // Little endian: the low bytes are the first.
    uint64_t Value = valueOf(Hidden[I].Kind, Facts);
    char *At = Bytes + Hidden[I].Offset;
    switch (Hidden[I].Size) {
    case 1:
      memcpy(At, &Value, 1);
      break;
    case 2:
      memcpy(At, &Value, 2);
      break;
    case 4:
      memcpy(At, &Value, 4);
      break;
    default:
      memcpy(At, &Value, 8);
    }
  }
}

} // namespace xcc::rt::hsa
