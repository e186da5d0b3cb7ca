// Memory for the arguments of graphs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs keep the arguments of their launches in memory that the GPU reads. The
// driver allocates such memory slowly, and a graph that changes while it runs
// needs new memory for each change. So some freed blocks are kept.

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
  /// Takes a block of at least \p bytes bytes.
  xcc_status take(size_t bytes, KernargBlock &out);
  /// Gives back a block. No running kernel may read it.
  void recycle(const KernargBlock &block);

private:
  static constexpr unsigned Most = 8;
  static constexpr size_t Largest = size_t(1) << 20; ///< bytes of a kept block
  const Gpu &on;
  std::mutex mutex;
  KernargBlock kept[Most];
  unsigned count = 0;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_KERNARGS_H
