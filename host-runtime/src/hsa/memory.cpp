// Memory that AMD GPUs can access
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"

#include <map>
#include <mutex>
#include <new>

namespace xcc::rt::hsa {

namespace {
/// For our allocations, by their start: a bit for each GPU other than the owner
/// that was given access.
struct Table {
  std::mutex mutex;
  std::map<void *, uint64_t> seen;
};
} // namespace

/// Never freed: threads may copy until the process ends.
static Table &table() {
  static Table &t = *new Table;
  return t;
}

Memory memoryAt(const Place &place) {
  if (place.owner)
    return {Memory::OnGpu, gpuOf(*place.owner), place.allocation,
            place.allocation != nullptr};
  if (place.pinnedBy && gpuOf(*place.pinnedBy))
    return {.in = Memory::Pinned};
  // Another library of the process may have allocated it from the HSA runtime.
  PointerInfo info{};
  info.size = sizeof(info);
  if (place.allocation || !hsa.amd_pointer_info ||
      hsa.amd_pointer_info(place.at, &info, nullptr, nullptr, nullptr) !=
          StatusSuccess ||
      info.type != PointerHsa)
    return {};
  if (Gpu *owner = gpuOf(info.owner))
    return {Memory::OnGpu, owner, info.agentBase};
  return {}; // it is unknown which GPUs can access it
}

bool allowAccess(const Memory &memory, Gpu &user) {
  if (memory.in != Memory::OnGpu || memory.owner == &user)
    return true;
  uint32_t access = AccessNever;
  if (hsa.amd_agent_memory_pool_get_info(
          user.facts.handle, memory.owner->facts.memory, AgentPoolAccess,
          &access) != StatusSuccess ||
      access == AccessNever)
    return false;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = memory.ours ? t.seen.find(memory.base) : t.seen.end();
  uint64_t seen = found != t.seen.end() ? found->second : 0;
  auto bitOf = [](const Gpu &g) {
    return g.number < 64 ? uint64_t(1) << g.number : 0;
  };
  if (seen & bitOf(user))
    return true;
  // The call replaces the whole list, so include GPUs that have access.
  std::vector<Agent> agents;
  for (Gpu *g : allGpus())
    if (g == &user || g == memory.owner || (seen & bitOf(*g)))
      agents.push_back(g->facts.handle);
  if (hsa.amd_agents_allow_access(static_cast<uint32_t>(agents.size()),
                                  agents.data(), nullptr,
                                  memory.base) != StatusSuccess)
    return false;
  try {
    if (memory.ours)
      t.seen[memory.base] = seen | bitOf(user);
  } catch (const std::bad_alloc &) {
    // The next call sets it again.
  }
  return true;
}

void forgetAccess(void *base) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.seen.erase(base);
}

} // namespace xcc::rt::hsa
