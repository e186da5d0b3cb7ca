// Freed memory that the CPU device keeps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system clears each page of a large block when it is first used, which takes
// longer than many a kernel. So large blocks that are freed in a stream's order
// stay with the process for the next ones.

#ifndef XCC_SRC_CPU_POOL_H
#define XCC_SRC_CPU_POOL_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace xcc::rt::cpu {

/// Blocks of allocate() that are free. Thread-safe. Keeps nothing in a program
/// with a sanitizer, which looks for uses of freed memory.
class MemoryPool {
public:
  MemoryPool();

  /// A kept block of at least so many bytes, and of little more; null if there is
  /// none.
  void *take(size_t bytes);
  /// A block of so many bytes may come back.
  void lend(void *block, size_t bytes);
  /// It does not.
  void forget(void *block);
  /// Keeps a block, or frees it.
  void give(void *block);

  /// In bytes.
  uint64_t kept();
  uint64_t limit();
  void setLimit(uint64_t bytes);
  /// Frees the oldest blocks until no more than so many bytes are kept.
  void trim(uint64_t keep);

private:
  struct Block {
    void *memory;
    size_t bytes;
  };
  /// Takes the oldest off until so many bytes are left.
  std::vector<Block> beyond(uint64_t keep);

  std::mutex mutex;
  std::vector<Block> blocks;               // the oldest first
  std::unordered_map<void *, size_t> lent; // the large ones, in bytes
  uint64_t bytes = 0, most;
};

/// The one of the device. It is never destroyed: streams may end later.
MemoryPool &pool();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_POOL_H
