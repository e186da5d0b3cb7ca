// Memory of the host for malloc on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapped.h"
#include "services_impl.h"

#include <algorithm>

using namespace xcc::services;

void Memory::add(uint64_t address, uint64_t size, uint64_t front) {
  std::lock_guard lock(mutex);
  blocks.emplace(address, Block{size, front});
}

uint64_t Memory::find(uint64_t address) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(address);
  return found == blocks.end() ? 0 : found->second.size;
}

uint64_t Memory::remove(uint64_t address) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(address);
  if (found == blocks.end())
    return 0;
  const uint64_t begin = address - found->second.front;
  blocks.erase(found);
  return begin;
}

void xcc_services::allocate(Lanes all) {
  for (Lane &l : all) {
    const uint64_t size = l.head.a ? l.head.a : 1;
    const uint64_t alignment = l.head.b;
    if (!options.allocate || !options.free || size > INT64_MAX || !alignment ||
        alignment & (alignment - 1)) {
      l.fail(ErrNoMemory);
      continue;
    }
    // Device code reads the header before a block when it frees it, and clears
    // it after allocation, so the allocation must include one.
    const uint64_t front = std::max<uint64_t>(alignment, XCC_MAPPED_HEADER);
    void *whole = options.allocate(size + front, alignment, options.context);
    if (!whole) {
      l.fail(ErrNoMemory);
      continue;
    }
    const uint64_t block = reinterpret_cast<uint64_t>(whole) + front;
    memory.add(block, size, front);
    l.answer = {int64_t(block), 0};
  }
}

void xcc_services::free(Lanes all) {
  for (Lane &l : all) {
    const uint64_t whole = memory.remove(l.head.a);
    if (!whole) {
      l.fail(ErrInvalid);
      continue;
    }
    options.free(reinterpret_cast<void *>(whole), options.context);
    l.answer = {0, 0};
  }
}

void xcc_services::usable(Lanes all) {
  for (Lane &l : all) {
    const uint64_t size = memory.find(l.head.a);
    if (size)
      l.answer = {int64_t(size), 0};
    else
      l.fail(ErrInvalid);
  }
}
