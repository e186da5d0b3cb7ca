// Memory of the host for malloc on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

using namespace xcc::services;

void Memory::add(uint64_t Address, uint64_t Size) {
  std::lock_guard Lock(Mutex);
  Blocks.emplace(Address, Size);
}

uint64_t Memory::find(uint64_t Address) {
  std::lock_guard Lock(Mutex);
  auto Found = Blocks.find(Address);
  return Found == Blocks.end() ? 0 : Found->second;
}

bool Memory::remove(uint64_t Address) {
  std::lock_guard Lock(Mutex);
  return Blocks.erase(Address) != 0;
}

void xcc_services::allocate(Lanes All) {
  for (Lane &L : All) {
    const uint64_t Size = L.Head.A ? L.Head.A : 1;
    const uint64_t Alignment = L.Head.B;
    if (!Options.allocate || !Options.free || Size > INT64_MAX || !Alignment ||
        Alignment & (Alignment - 1)) {
      L.fail(ErrNoMemory);
      continue;
    }
    auto *Block =
        static_cast<char *>(Options.allocate(Size, Alignment, Options.context));
    if (!Block) {
      L.fail(ErrNoMemory);
      continue;
    }
    Memory.add(reinterpret_cast<uint64_t>(Block), Size);
    L.Answer = {int64_t(reinterpret_cast<uint64_t>(Block)), 0};
  }
}

void xcc_services::free(Lanes All) {
  for (Lane &L : All) {
    if (!Memory.remove(L.Head.A)) {
      L.fail(ErrInvalid);
      continue;
    }
    Options.free(reinterpret_cast<void *>(L.Head.A), Options.context);
    L.Answer = {0, 0};
  }
}

void xcc_services::usable(Lanes All) {
  for (Lane &L : All) {
    const uint64_t Size = Memory.find(L.Head.A);
    if (Size)
      L.Answer = {int64_t(Size), 0};
    else
      L.fail(ErrInvalid);
  }
}
