// What memory an address is in
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "places.h"

#include <iterator>
#include <map>

namespace xcc::rt::hsa {

namespace {
struct Entry {
  size_t Bytes;
  Place::Kind In;
  Gpu *Owner;
  uint64_t Seen; ///< a bit for each GPU that was let in
};
struct Table {
  std::mutex Mutex;
  std::map<uintptr_t, Entry> Entries;
};
} // namespace

/// Never freed: threads may copy until the process ends.
static Table &table() {
  static Table &T = *new Table;
  return T;
}

bool rememberPlace(void *Base, size_t Bytes, Place::Kind In, Gpu &Owner) {
  Table &T = table();
  try {
    std::lock_guard Lock(T.Mutex);
    T.Entries[reinterpret_cast<uintptr_t>(Base)] = {Bytes, In, &Owner, 0};
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void forgetPlace(void *Base) {
  Table &T = table();
  std::lock_guard Lock(T.Mutex);
  T.Entries.erase(reinterpret_cast<uintptr_t>(Base));
}

Place placeOf(const void *Address) {
  auto At = reinterpret_cast<uintptr_t>(Address);
  {
    Table &T = table();
    std::lock_guard Lock(T.Mutex);
    auto After = T.Entries.upper_bound(At);
    if (After != T.Entries.begin()) {
      auto &[Base, E] = *std::prev(After);
      if (At - Base < E.Bytes)
        return {E.In, E.In == Place::Device ? E.Owner : nullptr,
                reinterpret_cast<void *>(Base)};
    }
  }
  // Memory that another library of the process allocated from the runtime.
  PointerInfo Info{};
  Info.Size = sizeof(Info);
  if (!Hsa.amd_pointer_info ||
      Hsa.amd_pointer_info(Address, &Info, nullptr, nullptr, nullptr) !=
          StatusSuccess ||
      Info.Type != PointerHsa)
    return {};
  if (Gpu *Owner = gpuOf(Info.Owner))
    return {Place::Device, Owner, Info.AgentBase};
  return {}; // which GPUs see it is not known
}

bool allowAccess(const Place &Memory, Gpu &For) {
  if (Memory.In != Place::Device || Memory.Owner == &For)
    return true;
  uint32_t Access = AccessNever;
  if (Hsa.amd_agent_memory_pool_get_info(
          For.Facts.Handle, Memory.Owner->Facts.Memory, AgentPoolAccess,
          &Access) != StatusSuccess ||
      Access == AccessNever)
    return false;
  Table &T = table();
  std::lock_guard Lock(T.Mutex);
  auto Found = T.Entries.find(reinterpret_cast<uintptr_t>(Memory.Base));
  uint64_t Bit = For.Number < 64 ? uint64_t(1) << For.Number : 0;
  if (Found != T.Entries.end() && (Found->second.Seen & Bit))
    return true;
  // The call sets the whole list: the owner stays on it by itself.
  std::vector<Agent> Agents;
  for (Gpu *G : allGpus())
    if (G == &For || G == Memory.Owner ||
        (Found != T.Entries.end() && G->Number < 64 &&
         (Found->second.Seen >> G->Number & 1)))
      Agents.push_back(G->Facts.Handle);
  if (Hsa.amd_agents_allow_access(static_cast<uint32_t>(Agents.size()),
                                  Agents.data(), nullptr,
                                  Memory.Base) != StatusSuccess)
    return false;
  if (Found != T.Entries.end())
    Found->second.Seen |= Bit;
  return true;
}

} // namespace xcc::rt::hsa
