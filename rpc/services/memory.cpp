// Memory of the host for malloc on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

using namespace xcc::services;

void Memory::add(uint64_t address, uint64_t size) {
  std::lock_guard lock(mutex);
  blocks.emplace(address, size);
}

uint64_t Memory::find(uint64_t address) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(address);
  return found == blocks.end() ? 0 : found->second;
}

bool Memory::remove(uint64_t address) {
  std::lock_guard lock(mutex);
  return blocks.erase(address) != 0;
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
    auto *block =
        static_cast<char *>(options.allocate(size, alignment, options.context));
    if (!block) {
      l.fail(ErrNoMemory);
      continue;
    }
    memory.add(reinterpret_cast<uint64_t>(block), size);
    l.answer = {int64_t(reinterpret_cast<uint64_t>(block)), 0};
  }
}

void xcc_services::free(Lanes all) {
  for (Lane &l : all) {
    if (!memory.remove(l.head.a)) {
      l.fail(ErrInvalid);
      continue;
    }
    options.free(reinterpret_cast<void *>(l.head.a), options.context);
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
