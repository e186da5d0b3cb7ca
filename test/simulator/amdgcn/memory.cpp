// What a device may reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"
#include "test/mock/hsa/state.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>

namespace amdgcn {

void Reach::addOwn(const void *Base, size_t Bytes, bool Writable) {
  Own[OwnCount++] = {reinterpret_cast<uintptr_t>(Base), Bytes, Writable};
}

void Reach::refresh() {
  uint64_t Now = mock::state().memoryVersion.load(std::memory_order_acquire);
  if (Now == Version)
    return;
  Version = Now;
  for (Range &R : Cache)
    R = {};
}

bool Reach::lookUp(uint64_t At, unsigned Size, Access How) {
  auto Holds = [&](const Range &R) {
    return At - R.Base < R.Bytes && Size <= R.Bytes - (At - R.Base) &&
           (How == Access::Read || R.Writable);
  };
  Range Found;
  if (auto *R = std::find_if(Own, Own + OwnCount, Holds); R != Own + OwnCount) {
    Found = *R;
  } else {
    mock::State &S = mock::state();
    std::lock_guard Lock(S.mutex);
    auto After = S.memory.upper_bound(At);
    if (After != S.memory.begin()) {
      auto &[Base, B] = *std::prev(After);
      if (std::find(B.agents.begin(), B.agents.end(), Agent) != B.agents.end())
        Found = {Base, B.bytes, !B.readOnly};
    }
    if (!Holds(Found)) {
      auto Locked = S.locked.upper_bound(At);
      if (Locked != S.locked.begin()) {
        auto &[Base, Bytes] = *std::prev(Locked);
        Found = {Base, Bytes, true};
      }
    }
    if (!Holds(Found))
      return false;
  }
  Cache[Turn++ % Kept] = Found;
  return true;
}

std::string Reach::explain(uint64_t At, uint32_t &Reason) const {
  using namespace xcc::rt::hsa;
  mock::State &S = mock::state();
  std::lock_guard Lock(S.mutex);
  char Text[200];
  Reason = FaultNotPresent;
  auto After = S.memory.upper_bound(At);
  if (After == S.memory.begin())
    return "no allocation is there or below";
  auto &[Base, B] = *std::prev(After);
  uint64_t Into = At - Base;
  if (Into < B.bytes) {
    bool Sees =
        std::find(B.agents.begin(), B.agents.end(), Agent) != B.agents.end();
    Reason = !Sees        ? uint32_t(FaultHostOnly)
             : B.readOnly ? uint32_t(FaultReadOnly)
                          : uint32_t(FaultNotPresent);
    snprintf(Text, sizeof(Text),
             "byte %" PRIu64 " of an allocation of %zu bytes%s", Into, B.bytes,
             !Sees        ? " that the device may not see"
             : B.readOnly ? " that is read-only"
                          : ", beyond its end");
    return Text;
  }
  snprintf(Text, sizeof(Text),
           "%" PRIu64 " bytes behind the end of an allocation of %zu bytes",
           Into - B.bytes, B.bytes);
  return Text;
}

} // namespace amdgcn
