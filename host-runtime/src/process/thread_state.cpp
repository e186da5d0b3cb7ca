// What the runtime keeps for a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "thread_state.h"
#include "../context.h"
#include "../cpu/worker.h"
#include "../pending.h"
#include "main_end.h"

#include <atomic>
#include <pthread.h>

namespace xcc::rt {

thread_local constinit ThreadState TheThreadState{};

static std::atomic<int> KeyState{0}; // 0: no key, 1: key, 2: stopped
static pthread_key_t Key;
static pthread_once_t KeyOnce = PTHREAD_ONCE_INIT;

static void cleanUp(void *) {
  forgetLastError();
  if (forked())
    return;
  forgetThread();
  if (TheThreadState.Worker)
    cpu::Worker::release(TheThreadState.Worker);
  TheThreadState.Worker = nullptr;
  TheThreadState.CleansUp = false;
  if (!TheThreadState.Own)
    userEnds();
}

static void makeKey() {
  if (pthread_key_create(&Key, cleanUp) == 0)
    KeyState.store(1, std::memory_order_release);
}

[[gnu::noinline]] static void arrangeCleanUp() {
  TheThreadState.CleansUp = true;
  pthread_once(&KeyOnce, makeKey);
  if (KeyState.load(std::memory_order_acquire) != 1)
    return;
  pthread_setspecific(Key, &TheThreadState);
  if (!TheThreadState.Own)
    userBegins();
}

ThreadState &threadState() {
  if (!TheThreadState.CleansUp) [[unlikely]]
    arrangeCleanUp();
  return TheThreadState;
}

void stopThreadCleanup() {
  int Expected = 1;
  if (KeyState.compare_exchange_strong(Expected, 2))
    pthread_key_delete(Key);
  stopMainWatch();
}

} // namespace xcc::rt
