// Memory for arguments that outlive a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs keep the arguments of their launches where the GPU reads them. The
// driver takes long to give such memory, and graphs that change while they run
// want other memory for each change: some of what they gave back is kept.

#ifndef XCC_SRC_HSA_KERNARGS_H
#define XCC_SRC_HSA_KERNARGS_H

#include "errors/error.h"

#include <cstddef>
#include <mutex>

namespace xcc::rt::hsa {

class Gpu;

struct KernargBlock {
  char *at = nullptr; ///< aligned to a page
  size_t bytes = 0;
};

class KernargStore {
public:
  explicit KernargStore(const Gpu &on) : on(on) {}
  /// At least so many bytes.
  xcc_status take(size_t bytes, KernargBlock &out);
  /// Takes a block back, which no running kernel reads.
  void giveBack(const KernargBlock &block);

private:
  static constexpr unsigned Most = 8;
  static constexpr size_t Largest = size_t(1) << 20; ///< that is kept, bytes
  const Gpu &on;
  std::mutex mutex;
  KernargBlock kept[Most];
  unsigned count = 0;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_KERNARGS_H
