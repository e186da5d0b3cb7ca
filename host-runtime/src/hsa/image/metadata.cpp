// Metadata of AMD kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metadata.h"
#include "formats/kernel_row.h"

#include <charconv>

namespace xcc::rt::hsa {

namespace {
struct KindName {
  std::string_view name;
  HiddenKind kind;
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

HiddenKind hiddenKind(std::string_view name) {
  for (const KindName &k : KindNames)
    if (k.name == name)
      return k.kind;
  return HiddenKind::None;
}

bool KernelMetadata::has(HiddenKind kind) const {
  for (uint32_t i = 0; i != hiddenCount; ++i)
    if (hidden[i].kind == kind)
      return true;
  return false;
}

/// Parses a decimal number of 32 bits, which must be the whole text.
static bool number(std::string_view text, uint32_t &out) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

static const char *parseHidden(std::string_view list, KernelMetadata &out) {
  while (!list.empty()) {
    std::string_view entry = takeField(list, ',');
    HiddenKind kind = hiddenKind(takeField(entry, ':'));
    uint32_t offset, size;
    if (!number(takeField(entry, ':'), offset) || !number(entry, size))
      return "has an implicit argument without offset and size";
    if (kind == HiddenKind::None)
      continue;
    if (size != 1 && size != 2 && size != 4 && size != 8)
      return "has an implicit argument of a size that no argument has";
    if (offset > MaxKernargSegment)
      return "has an implicit argument outside its kernarg segment";
    if (out.hiddenCount == KernelMetadata::MaxHidden)
      return "has too many implicit arguments";
    out.hidden[out.hiddenCount++] = {kind, static_cast<uint8_t>(size), offset};
  }
  return nullptr;
}

static const char *parseColumn(std::string_view key, std::string_view value,
                               KernelMetadata &out) {
  if (key == "hidden")
    return parseHidden(value, out);
  uint32_t dynamic = 0;
  uint32_t *field = key == "kernarg_segment" ? &out.kernargSegment
                    : key == "kernarg_align" ? &out.kernargAlign
                    : key == "wave"          ? &out.wave
                    : key == "vgprs"         ? &out.vgprs
                    : key == "sgprs"         ? &out.sgprs
                    : key == "spills"        ? &out.spills
                    : key == "dynamic_stack" ? &dynamic
                                             : nullptr;
  if (!field)
    return nullptr;
  if (!number(value, *field))
    return "has a column that is not a number";
  if (field == &dynamic)
    out.dynamicStack = dynamic != 0;
  return nullptr;
}

const char *parseMetadata(std::string_view columns, uint32_t explicitSize,
                          KernelMetadata &out) {
  out = KernelMetadata();
  for (std::string_view key, value; nextColumn(columns, key, value);)
    if (const char *why = parseColumn(key, value, out))
      return why;
  if (out.kernargSegment > MaxKernargSegment ||
      explicitSize > MaxKernargSegment)
    return "has a kernarg segment larger than any kernel's";
  if (out.kernargSegment && out.kernargSegment < explicitSize)
    return "has a kernarg segment smaller than its arguments";
  if (out.kernargAlign & (out.kernargAlign - 1))
    return "has a kernarg alignment that is not a power of two";
  uint32_t segment = out.kernargSegment ? out.kernargSegment : explicitSize;
  for (uint32_t i = 0; i != out.hiddenCount; ++i) {
    const HiddenArgument &h = out.hidden[i];
    if (h.offset < explicitSize || h.offset + h.size > segment)
      return "has an implicit argument outside its kernarg segment";
  }
  return nullptr;
}

} // namespace xcc::rt::hsa
