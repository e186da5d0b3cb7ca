// What the compiler says of an AMD kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metadata.h"
#include "../images/kernel_row.h"

#include <charconv>

namespace xcc::rt::hsa {

namespace {
struct KindName {
  std::string_view Name;
  HiddenKind Kind;
};
} // namespace

static constexpr KindName KindNames[] = {
    {"block_count_x", HiddenKind::BlockCountX},
    {"block_count_y", HiddenKind::BlockCountY},
    {"block_count_z", HiddenKind::BlockCountZ},
    {"group_size_x", HiddenKind::GroupSizeX},
    {"group_size_y", HiddenKind::GroupSizeY},
    {"group_size_z", HiddenKind::GroupSizeZ},
    {"remainder_x", HiddenKind::RemainderX},
    {"remainder_y", HiddenKind::RemainderY},
    {"remainder_z", HiddenKind::RemainderZ},
    {"global_offset_x", HiddenKind::GlobalOffsetX},
    {"global_offset_y", HiddenKind::GlobalOffsetY},
    {"global_offset_z", HiddenKind::GlobalOffsetZ},
    {"grid_dims", HiddenKind::GridDims},
    {"dynamic_lds_size", HiddenKind::DynamicLdsSize},
    {"printf_buffer", HiddenKind::PrintfBuffer},
    {"hostcall_buffer", HiddenKind::HostcallBuffer},
    {"heap_v1", HiddenKind::HeapV1},
    {"default_queue", HiddenKind::DefaultQueue},
    {"completion_action", HiddenKind::CompletionAction},
    {"multigrid_sync_arg", HiddenKind::MultigridSyncArg},
    {"private_base", HiddenKind::PrivateBase},
    {"shared_base", HiddenKind::SharedBase},
    {"queue_ptr", HiddenKind::QueuePtr},
};

HiddenKind hiddenKind(std::string_view Name) {
  for (const KindName &K : KindNames)
    if (K.Name == Name)
      return K.Kind;
  return HiddenKind::None;
}

bool KernelMetadata::has(HiddenKind Kind) const {
  for (uint32_t I = 0; I != HiddenCount; ++I)
    if (Hidden[I].Kind == Kind)
      return true;
  return false;
}

/// Takes what stands before the next \p Separator.
static std::string_view take(std::string_view &Text, char Separator) {
  size_t End = Text.find(Separator);
  std::string_view Part = Text.substr(0, End);
  Text =
      End == std::string_view::npos ? std::string_view() : Text.substr(End + 1);
  return Part;
}

/// The whole text is a decimal number of 32 bits.
static bool number(std::string_view Text, uint32_t &Out) {
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Out);
  return Error == std::errc() && End == Text.data() + Text.size();
}

static const char *parseHidden(std::string_view List, KernelMetadata &Out) {
  while (!List.empty()) {
    std::string_view Entry = take(List, ',');
    HiddenKind Kind = hiddenKind(take(Entry, ':'));
    uint32_t Offset, Size;
    if (!number(take(Entry, ':'), Offset) || !number(Entry, Size))
      return "has an implicit argument without offset and size";
    if (Kind == HiddenKind::None)
      continue;
    if (Size != 1 && Size != 2 && Size != 4 && Size != 8)
      return "has an implicit argument of a size that no argument has";
    if (Offset > MaxKernargSegment)
      return "has an implicit argument outside its kernarg segment";
    if (Out.HiddenCount == KernelMetadata::MaxHidden)
      return "has too many implicit arguments";
    Out.Hidden[Out.HiddenCount++] = {Kind, static_cast<uint8_t>(Size),
                                     static_cast<uint16_t>(Offset)};
  }
  return nullptr;
}

static const char *parseColumn(std::string_view Key, std::string_view Value,
                               KernelMetadata &Out) {
  if (Key == "hidden")
    return parseHidden(Value, Out);
  uint32_t Number = 0;
  uint32_t *Field = Key == "kernarg_segment" ? &Out.KernargSegment
                    : Key == "kernarg_align" ? &Out.KernargAlign
                    : Key == "wave"          ? &Out.Wave
                    : Key == "vgprs"         ? &Out.Vgprs
                    : Key == "sgprs"         ? &Out.Sgprs
                    : Key == "spills"        ? &Out.Spills
                    : Key == "dynamic_stack" ? &Number
                                             : nullptr;
  if (!Field)
    return nullptr;
  if (!number(Value, *Field))
    return "has a column that is not a number";
  if (Field == &Number)
    Out.DynamicStack = Number != 0;
  return nullptr;
}

const char *parseMetadata(std::string_view Columns, uint32_t Explicit,
                          KernelMetadata &Out) {
  Out = KernelMetadata();
  for (std::string_view Key, Value; nextColumn(Columns, Key, Value);)
    if (const char *Why = parseColumn(Key, Value, Out))
      return Why;
  if (Out.KernargSegment > MaxKernargSegment || Explicit > MaxKernargSegment)
    return "has a kernarg segment larger than any kernel's";
  if (Out.KernargSegment && Out.KernargSegment < Explicit)
    return "has a kernarg segment smaller than its arguments";
  if (Out.KernargAlign & (Out.KernargAlign - 1))
    return "has a kernarg alignment that is not a power of two";
  uint32_t Segment = Out.KernargSegment ? Out.KernargSegment : Explicit;
  for (uint32_t I = 0; I != Out.HiddenCount; ++I) {
    const HiddenArgument &H = Out.Hidden[I];
    if (H.Offset < Explicit || H.Offset + H.Size > Segment)
      return "has an implicit argument outside its kernarg segment";
  }
  return nullptr;
}

} // namespace xcc::rt::hsa
