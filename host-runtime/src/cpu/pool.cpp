// Freed memory that the CPU device keeps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool.h"
#include "memory.h"
#include "workers/sanitizer.h"

#include <sys/sysinfo.h>

namespace xcc::rt::cpu {

/// The C library itself keeps smaller blocks.
static constexpr size_t Least = size_t(128) << 10;
/// The first limit: this, or less on a machine where it is more than a
/// sixteenth of the memory.
static constexpr uint64_t Most = uint64_t(256) << 20;
/// The most blocks that are kept, so that the search is short.
static constexpr size_t MostBlocks = 64;

/// Does a sanitizer look for uses of freed memory?
static bool isWatched() { return sanitizer::address() || sanitizer::thread(); }

static uint64_t firstLimit() {
  struct sysinfo system;
  if (isWatched() || sysinfo(&system) != 0)
    return 0;
  const uint64_t share = uint64_t(system.totalram) * system.mem_unit / 16;
  return share < Most ? share : Most;
}

MemoryPool::MemoryPool() : most(firstLimit()) {}

void *MemoryPool::take(size_t wanted) {
  if (wanted < Least / 2)
    return nullptr;
  std::lock_guard lock(mutex);
  auto best = blocks.end();
  for (auto b = blocks.begin(); b != blocks.end(); ++b)
    if (b->bytes >= wanted && b->bytes - wanted <= wanted / 4 &&
        (best == blocks.end() || b->bytes < best->bytes))
      best = b;
  if (best == blocks.end())
    return nullptr;
  const Block taken = *best;
  bytes -= taken.bytes;
  blocks.erase(best);
  inUse.emplace(taken.memory, taken.bytes);
  return taken.memory;
}

void MemoryPool::track(void *block, size_t size) {
  if (size < Least)
    return;
  std::lock_guard lock(mutex);
  inUse.emplace(block, size);
}

void MemoryPool::forget(void *block) {
  std::lock_guard lock(mutex);
  inUse.erase(block);
}

void MemoryPool::give(void *block) {
  std::vector<Block> gone;
  {
    std::lock_guard lock(mutex);
    auto known = inUse.extract(block);
    if (known && known.mapped() <= most) {
      blocks.push_back({block, known.mapped()});
      bytes += known.mapped();
      block = nullptr;
      gone = beyond(most);
    }
  }
  cpu::free(block);
  for (const Block &b : gone)
    cpu::free(b.memory);
}

std::vector<MemoryPool::Block> MemoryPool::beyond(uint64_t keep) {
  size_t n = 0;
  for (; n != blocks.size() && (bytes > keep || blocks.size() - n > MostBlocks);
       ++n)
    bytes -= blocks[n].bytes;
  std::vector<Block> gone(blocks.begin(), blocks.begin() + long(n));
  blocks.erase(blocks.begin(), blocks.begin() + long(n));
  return gone;
}

uint64_t MemoryPool::kept() {
  std::lock_guard lock(mutex);
  return bytes;
}

uint64_t MemoryPool::limit() {
  std::lock_guard lock(mutex);
  return most;
}

void MemoryPool::setLimit(uint64_t limit) {
  {
    std::lock_guard lock(mutex);
    most = isWatched() ? 0 : limit;
  }
  trim(limit);
}

void MemoryPool::trim(uint64_t keep) {
  std::vector<Block> gone;
  {
    std::lock_guard lock(mutex);
    gone = beyond(keep);
  }
  for (const Block &b : gone)
    cpu::free(b.memory);
}

MemoryPool &pool() {
  static MemoryPool *const the = new MemoryPool;
  return *the;
}

} // namespace xcc::rt::cpu
