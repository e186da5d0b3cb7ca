// Metadata of AMD kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The additional columns of a line in an image's "xcc.kernels" table:
// key=value, separated by tabs. They repeat the code object's metadata note in
// a form that needs no MessagePack reader.
//
//     kernarg_segment=272  bytes, explicit and implicit arguments
//     kernarg_align=8      bytes
//     wave=32              lanes of a wavefront
//     dynamic_stack=1      the kernel's use of stack is not known
//     hidden=block_count_x:16:4,...   implicit arguments: kind:offset:bytes
//     vgprs=, sgprs=, spills=
//
// Unknown keys and kinds are ignored; their bytes stay zero.

#ifndef XCC_SRC_HSA_IMAGE_METADATA_H
#define XCC_SRC_HSA_IMAGE_METADATA_H

#include <cstdint>
#include <string_view>

namespace xcc::rt::hsa {

/// Implicit arguments, named as in the metadata without "hidden_".
enum class HiddenKind : uint8_t {
  None, ///< unknown
  BlockCountX,
  BlockCountY,
  BlockCountZ,
  GroupSizeX,
  GroupSizeY,
  GroupSizeZ,
  RemainderX,
  RemainderY,
  RemainderZ,
  GlobalOffsetX,
  GlobalOffsetY,
  GlobalOffsetZ,
  GridDims,
  DynamicLdsSize,
  PrintfBuffer,
  HostcallBuffer,
  HeapV1,
  DefaultQueue,
  CompletionAction,
  MultigridSyncArg,
  PrivateBase,
  SharedBase,
  QueuePtr
};
HiddenKind hiddenKind(std::string_view name);

struct HiddenArgument {
  HiddenKind kind;
  uint8_t size;    ///< bytes: 1, 2, 4 or 8
  uint32_t offset; ///< bytes from the start of the kernarg segment
};

/// The largest kernarg segment: the compiler's limit for explicit arguments
/// (backend/targets/amdgcn/codegen.cpp), and the implicit ones.
constexpr uint32_t MaxKernargSegment = (1 << 20) + 4096;
/// The largest alignment of a kernarg segment: a page.
constexpr uint32_t MaxKernargAlign = 4096;

struct KernelMetadata {
  uint32_t kernargSegment = 0; ///< 0: unknown
  uint32_t kernargAlign = 0;   ///< 0: unknown
  uint32_t wave = 0;           ///< 0: unknown
  bool dynamicStack = false;
  uint32_t vgprs = 0, sgprs = 0, spills = 0;
  static constexpr uint32_t MaxHidden = 40;
  uint32_t hiddenCount = 0;
  HiddenArgument hidden[MaxHidden];

  bool has(HiddenKind kind) const;
};

/// Parses the columns after the common ones. Returns null on success, else what
/// is wrong, a static string. On success all implicit arguments lie inside
/// kernarg_segment and after the \p explicitSize bytes of arguments.
const char *parseMetadata(std::string_view columns, uint32_t explicitSize,
                          KernelMetadata &out);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_METADATA_H
