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
  size_t bytes;
  Place::Kind in;
  Gpu *owner;
  uint64_t seen; ///< a bit for each GPU that was let in
};
struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Entry> entries;
};
} // namespace

/// Never freed: threads may copy until the process ends.
static Table &table() {
  static Table &t = *new Table;
  return t;
}

bool rememberPlace(void *base, size_t bytes, Place::Kind in, Gpu &owner) {
  Table &t = table();
  try {
    std::lock_guard lock(t.mutex);
    t.entries[reinterpret_cast<uintptr_t>(base)] = {bytes, in, &owner, 0};
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void forgetPlace(void *base) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.entries.erase(reinterpret_cast<uintptr_t>(base));
}

Place placeOf(const void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  {
    Table &t = table();
    std::lock_guard lock(t.mutex);
    auto after = t.entries.upper_bound(at);
    if (after != t.entries.begin()) {
      auto &[base, e] = *std::prev(after);
      if (at - base < e.bytes)
        return {e.in, e.in == Place::Device ? e.owner : nullptr,
                reinterpret_cast<void *>(base)};
    }
  }
  // Memory that another library of the process allocated from the runtime.
  PointerInfo info{};
  info.size = sizeof(info);
  if (!hsa.amd_pointer_info ||
      hsa.amd_pointer_info(address, &info, nullptr, nullptr, nullptr) !=
          StatusSuccess ||
      info.type != PointerHsa)
    return {};
  if (Gpu *owner = gpuOf(info.owner))
    return {Place::Device, owner, info.agentBase};
  return {}; // which GPUs see it is not known
}

bool allowAccess(const Place &memory, Gpu &user) {
  if (memory.in != Place::Device || memory.owner == &user)
    return true;
  uint32_t access = AccessNever;
  if (hsa.amd_agent_memory_pool_get_info(
          user.facts.handle, memory.owner->facts.memory, AgentPoolAccess,
          &access) != StatusSuccess ||
      access == AccessNever)
    return false;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.entries.find(reinterpret_cast<uintptr_t>(memory.base));
  uint64_t bit = user.number < 64 ? uint64_t(1) << user.number : 0;
  if (found != t.entries.end() && (found->second.seen & bit))
    return true;
  // The call sets the whole list: the owner stays on it by itself.
  std::vector<Agent> agents;
  for (Gpu *g : allGpus())
    if (g == &user || g == memory.owner ||
        (found != t.entries.end() && g->number < 64 &&
         (found->second.seen >> g->number & 1)))
      agents.push_back(g->facts.handle);
  if (hsa.amd_agents_allow_access(static_cast<uint32_t>(agents.size()),
                                  agents.data(), nullptr,
                                  memory.base) != StatusSuccess)
    return false;
  if (found != t.entries.end())
    found->second.seen |= bit;
  return true;
}

} // namespace xcc::rt::hsa
