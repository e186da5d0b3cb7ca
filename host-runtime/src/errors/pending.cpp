// Failures that have not been reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pending.h"
#include "process/log.h"
#include "process/thread_state.h"

#include <new>
#include <set>

namespace xcc::rt {

namespace {
struct Threads {
  std::mutex mutex;
  std::set<uint64_t> alive;
};
} // namespace

/// Never freed, because threads may end at any time.
static Threads &threads() {
  static Threads &t = *new Threads;
  return t;
}

uint64_t threadNumber() {
  ThreadState &state = peekThreadState();
  if (state.number) [[likely]]
    return state.number;
  static constinit std::atomic<uint64_t> next{1};
  uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
  try {
    std::lock_guard lock(threads().mutex);
    threads().alive.insert(number);
  } catch (const std::bad_alloc &) {
    // The thread then counts as ended, so other threads get its failures.
  }
  return threadState().number = number;
}

void forgetThread() {
  ThreadState &state = peekThreadState();
  if (!state.number)
    return;
  std::lock_guard lock(threads().mutex);
  threads().alive.erase(state.number);
  state.number = 0;
}

static bool isAlive(uint64_t number) {
  std::lock_guard lock(threads().mutex);
  return threads().alive.count(number);
}

void PendingErrors::add(xcc_error *error, uint64_t launcher) {
  std::lock_guard lock(mutex);
  std::atomic<Entry *> *at = &first;
  Entry *e = first.load(std::memory_order_relaxed), *last = nullptr;
  for (; e; last = e, e = e->next)
    if (e->launcher == launcher) {
      if (e->reported) {
        xcc_error_release(e->error);
        e->error = error;
        e->reported = false;
      } else {
        xcc_error_release(error);
      }
      return;
    }
  auto *fresh = new (std::nothrow) Entry{error, launcher, false, nullptr};
  if (!fresh) {
    complain("out of memory for an error: %s", xcc_error_message(error));
    xcc_error_release(error);
    return;
  }
  if (last)
    last->next = fresh;
  else
    at->store(fresh, std::memory_order_release);
}

/// Removes an entry from the list. Call it under the mutex.
xcc_error *PendingErrors::unlink(Entry *e) {
  if (first.load(std::memory_order_relaxed) == e) {
    first.store(e->next, std::memory_order_release);
  } else {
    Entry *before = first.load(std::memory_order_relaxed);
    while (before->next != e)
      before = before->next;
    before->next = e->next;
  }
  xcc_error *error = e->error;
  delete e;
  return error;
}

xcc_error *PendingErrors::findAny() {
  uint64_t self = threadNumber();
  std::lock_guard lock(mutex);
  Entry *head = first.load(std::memory_order_relaxed);
  for (Entry *e = head; e; e = e->next)
    if (e->launcher == self)
      return unlink(e);
  return head ? unlink(head) : nullptr;
}

xcc_error *PendingErrors::findOwn() {
  uint64_t self = threadNumber();
  std::lock_guard lock(mutex);
  for (Entry *e = first.load(std::memory_order_relaxed), *next; e; e = next) {
    next = e->next;
    if (e->launcher != self && isAlive(e->launcher))
      continue;
    bool reported = e->reported && e->launcher != self;
    xcc_error *error = unlink(e);
    if (!reported)
      return error;
    xcc_error_release(error); // reported before; its thread has ended
  }
  return nullptr;
}

xcc_error *PendingErrors::findUnreported() {
  if (xcc_error *error = findOwn())
    return error;
  std::lock_guard lock(mutex);
  for (Entry *e = first.load(std::memory_order_relaxed); e; e = e->next)
    if (!e->reported) {
      e->reported = true;
      return xcc_error_retain(e->error);
    }
  return nullptr;
}

void PendingErrors::moveTo(PendingErrors &other) {
  Entry *all;
  {
    std::lock_guard lock(mutex);
    all = first.exchange(nullptr, std::memory_order_acq_rel);
  }
  while (Entry *e = all) {
    all = e->next;
    if (e->reported)
      xcc_error_release(e->error);
    else
      other.add(e->error, e->launcher);
    delete e;
  }
}

} // namespace xcc::rt
