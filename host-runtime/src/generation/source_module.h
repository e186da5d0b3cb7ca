// A compiled source as a linked unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program's units have in their data a source's unit has in memory: a
// record, descriptors with their slots, and images. All that loads and launches
// kernels knows no difference.

#ifndef XCC_SRC_GENERATION_SOURCE_MODULE_H
#define XCC_SRC_GENERATION_SOURCE_MODULE_H

#include "front_end.h"

#include <atomic>
#include <deque>
#include <string>

namespace xcc::rt {

/// Kernels by name, parameters by type: what is wrong is an error that says what
/// there is.
class SourceModule {
public:
  /// Takes over what was compiled. \p name: of the source, for messages.
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
  std::deque<Described> kernels; // descriptors stay where they are

  const Described *describedBy(const xcc_kernel_info *info) const;
  std::string listKernels() const;
};

} // namespace xcc::rt

/// What the C interface counts.
struct xcc_source {
  std::atomic<uint32_t> count{1};
  xcc::rt::SourceModule module;
};

#endif // XCC_SRC_GENERATION_SOURCE_MODULE_H
