// Failures that nobody has heard of yet
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
  std::mutex Mutex;
  std::set<uint64_t> Alive;
};
} // namespace

/// Never freed: threads end whenever they like.
static Threads &threads() {
  static Threads &T = *new Threads;
  return T;
}

uint64_t threadNumber() {
  ThreadState &State = peekThreadState();
  if (State.Number) [[likely]]
    return State.Number;
  static constinit std::atomic<uint64_t> Next{1};
  uint64_t Number = Next.fetch_add(1, std::memory_order_relaxed);
  try {
    std::lock_guard Lock(threads().Mutex);
    threads().Alive.insert(Number);
  } catch (const std::bad_alloc &) {
    // Counts as ended: others hear of its failures then.
  }
  return threadState().Number = Number;
}

void forgetThread() {
  ThreadState &State = peekThreadState();
  if (!State.Number)
    return;
  std::lock_guard Lock(threads().Mutex);
  threads().Alive.erase(State.Number);
  State.Number = 0;
}

static bool isAlive(uint64_t Number) {
  std::lock_guard Lock(threads().Mutex);
  return threads().Alive.count(Number);
}

void PendingErrors::add(xcc_error *Error, uint64_t Launcher) {
  std::lock_guard Lock(Mutex);
  std::atomic<Entry *> *At = &First;
  Entry *E = First.load(std::memory_order_relaxed), *Last = nullptr;
  for (; E; Last = E, E = E->Next)
    if (E->Launcher == Launcher) {
      if (E->Heard) {
        xcc_error_release(E->Error);
        E->Error = Error;
        E->Heard = false;
      } else {
        xcc_error_release(Error);
      }
      return;
    }
  auto *New = new (std::nothrow) Entry{Error, Launcher, false, nullptr};
  if (!New) {
    complain("out of memory for an error: %s", xcc_error_message(Error));
    xcc_error_release(Error);
    return;
  }
  if (Last)
    Last->Next = New;
  else
    At->store(New, std::memory_order_release);
}

/// Takes an entry off the list, under the mutex.
xcc_error *PendingErrors::unlink(Entry *E) {
  if (First.load(std::memory_order_relaxed) == E) {
    First.store(E->Next, std::memory_order_release);
  } else {
    Entry *Before = First.load(std::memory_order_relaxed);
    while (Before->Next != E)
      Before = Before->Next;
    Before->Next = E->Next;
  }
  xcc_error *Error = E->Error;
  delete E;
  return Error;
}

xcc_error *PendingErrors::findAny() {
  uint64_t Self = threadNumber();
  std::lock_guard Lock(Mutex);
  Entry *Head = First.load(std::memory_order_relaxed);
  for (Entry *E = Head; E; E = E->Next)
    if (E->Launcher == Self)
      return unlink(E);
  return Head ? unlink(Head) : nullptr;
}

xcc_error *PendingErrors::findOwn() {
  uint64_t Self = threadNumber();
  std::lock_guard Lock(Mutex);
  for (Entry *E = First.load(std::memory_order_relaxed), *Next; E; E = Next) {
    Next = E->Next;
    if (E->Launcher != Self && isAlive(E->Launcher))
      continue;
    bool Heard = E->Heard && E->Launcher != Self;
    xcc_error *Error = unlink(E);
    if (!Heard)
      return Error;
    xcc_error_release(Error); // the last to hear it would have been that thread
  }
  return nullptr;
}

xcc_error *PendingErrors::findUnheard() {
  if (xcc_error *Error = findOwn())
    return Error;
  std::lock_guard Lock(Mutex);
  for (Entry *E = First.load(std::memory_order_relaxed); E; E = E->Next)
    if (!E->Heard) {
      E->Heard = true;
      return xcc_error_retain(E->Error);
    }
  return nullptr;
}

void PendingErrors::moveTo(PendingErrors &Other) {
  Entry *All;
  {
    std::lock_guard Lock(Mutex);
    All = First.exchange(nullptr, std::memory_order_acq_rel);
  }
  while (Entry *E = All) {
    All = E->Next;
    if (E->Heard)
      xcc_error_release(E->Error);
    else
      Other.add(E->Error, E->Launcher);
    delete E;
  }
}

} // namespace xcc::rt
