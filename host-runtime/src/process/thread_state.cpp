// The runtime's state of a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "thread_state.h"
#include "cpu/workers/worker.h"
#include "devices/context.h"
#include "errors/pending.h"
#include "main_end.h"
#include "mapping/collection.h"

#include <atomic>
#include <pthread.h>

namespace xcc::rt {

thread_local constinit ThreadState theThreadState{};

static std::atomic<int> keyState{0}; // 0: no key, 1: key, 2: stopped
static pthread_key_t key;
static pthread_once_t keyOnce = PTHREAD_ONCE_INIT;

static void cleanUp(void *) {
  forgetLastError();
  if (forked())
    return;
  forgetThread();
  delete theThreadState.mapping;
  theThreadState.mapping = nullptr;
  if (theThreadState.worker)
    cpu::Worker::release(theThreadState.worker);
  theThreadState.worker = nullptr;
  theThreadState.cleansUp = false;
  if (!theThreadState.own)
    userEnds();
}

static void makeKey() {
  if (pthread_key_create(&key, cleanUp) == 0)
    keyState.store(1, std::memory_order_release);
}

[[gnu::noinline]] static void arrangeCleanUp() {
  theThreadState.cleansUp = true;
  pthread_once(&keyOnce, makeKey);
  if (keyState.load(std::memory_order_acquire) != 1)
    return;
  pthread_setspecific(key, &theThreadState);
  if (!theThreadState.own)
    userBegins();
}

ThreadState &threadState() {
  if (!theThreadState.cleansUp) [[unlikely]]
    arrangeCleanUp();
  return theThreadState;
}

void stopThreadCleanup() {
  int expected = 1;
  if (keyState.compare_exchange_strong(expected, 2))
    pthread_key_delete(key);
  stopMainWatch();
}

} // namespace xcc::rt
