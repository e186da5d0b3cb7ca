// A compiled source as a linked unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's linked unit has a record, descriptors with their slots, and
// images in its data. A source module has the same in memory, so the code that
// loads and launches kernels treats both alike.

#ifndef XCC_SRC_GENERATION_SOURCE_MODULE_H
#define XCC_SRC_GENERATION_SOURCE_MODULE_H

#include "front_end.h"

#include <atomic>
#include <deque>
#include <string>

namespace xcc::rt {

/// Finds kernels by name and checks parameters by type. Errors list what there
/// is.
class SourceModule {
public:
  /// Takes over a compiled source. \p name is the source's, for messages.
  SourceModule(CompiledSource &&compiled, const char *name);
  SourceModule(const SourceModule &) = delete;

  const SourceTable &table() const { return source.table; }
  xcc_binary &unit() { return record; }
  const xcc_kernel_info *kernel(uint64_t index) const;

  xcc_status findKernel(const char *name, const xcc_source_type *types,
                        uint32_t count, const xcc_kernel_info **out) const;
  /// Compares types with a kernel's parameters. With \p exactly they are equal;
  /// otherwise arguments of these types have the same bits as the parameters.
  xcc_status check(const xcc_kernel_info *kernel, const xcc_source_type *types,
                   uint32_t count, bool exactly) const;
  xcc_status findVariable(const char *name, const xcc_source_type *type,
                          const xcc_kernel_info **place) const;

private:
  struct Described {
    xcc_kernel_info info{};
    std::vector<xcc_param_info> params;
    std::vector<xcc_capture_info> captures;
    void *slots[XCC_KERNEL_SLOTS] = {};
    const SourceKernel *source = nullptr;
    bool ofVariable = false;
  };
  CompiledSource source;
  std::string name;
  xcc_binary record{};
  std::deque<Described> kernels; // a deque, so that descriptors never move

  const Described *describedBy(const xcc_kernel_info *info) const;
  std::string listKernels() const;
};

} // namespace xcc::rt

/// The reference-counted object behind the C interface.
struct xcc_source {
  std::atomic<uint32_t> count{1};
  xcc::rt::SourceModule module;
};

#endif // XCC_SRC_GENERATION_SOURCE_MODULE_H
