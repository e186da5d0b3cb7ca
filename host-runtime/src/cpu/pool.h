// Freed memory that the CPU device keeps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system clears each page of a large block at its first use, which takes
// longer than many kernels. So the process keeps large blocks that are freed in
// a stream's order, and uses them again.

#ifndef XCC_SRC_CPU_POOL_H
#define XCC_SRC_CPU_POOL_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace xcc::rt::cpu {

/// Free blocks of allocate(). Thread-safe. Keeps nothing under a sanitizer that
/// looks for uses of freed memory.
class MemoryPool {
public:
  MemoryPool();

  /// A kept block of at least \p bytes bytes, and not much more; null if there
  /// is none.
  void *take(size_t bytes);
  /// Records a block that give() may keep later.
  void track(void *block, size_t bytes);
  /// Removes the record of a block that is freed in another way.
  void forget(void *block);
  /// Keeps a block, or frees it.
  void give(void *block);

  /// In bytes.
  uint64_t kept();
  uint64_t limit();
  void setLimit(uint64_t bytes);
  /// Frees the oldest blocks until at most \p keep bytes are kept.
  void trim(uint64_t keep);

private:
  struct Block {
    void *memory;
    size_t bytes;
  };
  /// Removes the oldest blocks until \p keep bytes are left, and returns them.
  std::vector<Block> beyond(uint64_t keep);

  std::mutex mutex;
  std::vector<Block> blocks;                // the oldest first
  std::unordered_map<void *, size_t> inUse; // large blocks in use, in bytes
  uint64_t bytes = 0, most;
};

/// The device's pool. Never destroyed, because streams may end later.
MemoryPool &pool();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_POOL_H
