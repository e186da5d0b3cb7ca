// Guards of static variables in functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "guards.h"
#include "process/futex.h"

namespace xcc::rt::cpu {

static std::atomic<uint32_t> numbers{0};

HeldGuards::HeldGuards() : number(++numbers) {}

static std::atomic_ref<uint8_t> made(uint64_t &guard) {
  return std::atomic_ref(reinterpret_cast<uint8_t &>(guard));
}
static std::atomic<uint32_t> &maker(uint64_t &guard) {
  return reinterpret_cast<std::atomic<uint32_t> *>(&guard)[1];
}

bool isMade(const uint64_t &guard) {
  return made(const_cast<uint64_t &>(guard)).load(std::memory_order_acquire);
}

bool acquireGuard(uint64_t &guard, HeldGuards &mine) {
  std::atomic<uint32_t> &who = maker(guard);
  while (!isMade(guard)) {
    uint32_t other = 0;
    if (who.compare_exchange_strong(other, mine.number,
                                    std::memory_order_acquire)) {
      // The worker that initialised it may have released it since we looked.
      if (isMade(guard)) {
        who.store(0, std::memory_order_relaxed);
        futexWake(who);
        return false;
      }
      mine.held.push_back(&guard);
      return true;
    }
    if (other == mine.number)
      return false;
    futexWait(who, other);
  }
  return false;
}

void releaseGuard(uint64_t &guard, HeldGuards &mine) {
  std::erase(mine.held, &guard);
  made(guard).store(1, std::memory_order_release);
  maker(guard).store(0, std::memory_order_release);
  futexWake(maker(guard));
}

void abortGuard(uint64_t &guard, HeldGuards &mine) {
  std::erase(mine.held, &guard);
  maker(guard).store(0, std::memory_order_release);
  futexWake(maker(guard));
}

void HeldGuards::giveUp() {
  for (uint64_t *guard : held) {
    maker(*guard).store(0, std::memory_order_release);
    futexWake(maker(*guard));
  }
  held.clear();
}

} // namespace xcc::rt::cpu
