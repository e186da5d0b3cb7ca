// The worker threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool.h"
#include "../process/log.h"
#include "../process/main_end.h"
#include "../process/trace.h"
#include "faults.h"
#include "futex.h"
#include "queue.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

namespace xcc::rt::cpu {

/// How long an idle worker looks on, in ticks: about 60 us at 2.5 GHz, some
/// ten times what waking a thread takes.
static constexpr uint64_t LookTicks = 150'000;
/// Packets a worker does for one queue before it looks at the others.
static constexpr uint64_t Turn = 16;

Pool::Pool(unsigned Threads)
    : Threads(std::max(Threads, 2u)), WorkerCount(this->Threads - 1),
      // On a single core, looking on only keeps others from working.
      SpinTicks(Threads > 1 ? LookTicks : 0) {}

/// Kernels run on it, and what they call: not less where the program's own
/// limit (ulimit -s) is small.
static constexpr size_t LeastStack = 1 << 20;

namespace {
/// What threads begin with.
class Attributes {
public:
  Attributes() {
    size_t Size;
    if (pthread_attr_init(&Held) != 0)
      return;
    Made = true;
    if (pthread_attr_getstacksize(&Held, &Size) == 0 && Size < LeastStack)
      pthread_attr_setstacksize(&Held, LeastStack);
  }
  ~Attributes() {
    if (Made)
      pthread_attr_destroy(&Held);
  }
  Attributes(const Attributes &) = delete;
  Attributes &operator=(const Attributes &) = delete;
  const pthread_attr_t *get() const { return Made ? &Held : nullptr; }

private:
  pthread_attr_t Held;
  bool Made = false;
};
} // namespace

bool Pool::startThread(void *(*Main)(void *)) {
  // Signals meant for the program are not the workers' to take.
  Attributes Own;
  sigset_t Old, Blocked;
  sigfillset(&Blocked);
  for (int Signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigdelset(&Blocked, Signal);
  pthread_sigmask(SIG_SETMASK, &Blocked, &Old);
  pthread_t Handle;
  int Failed = pthread_create(&Handle, Own.get(), Main, this);
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  if (!Failed)
    Handles.push_back(Handle);
  return !Failed;
}

void Pool::addStandIn() {
  std::lock_guard Lock(StartMutex);
  if (Started.load(std::memory_order_relaxed))
    startThread(standInMain);
}

void *Pool::standInMain(void *Self) {
  ownThreadBegins();
  if (Worker *W = Worker::current())
    static_cast<Pool *>(Self)->work(*W);
  ownThreadEnds();
  return nullptr;
}

bool Pool::startWorkers() {
  std::lock_guard Lock(StartMutex);
  if (Started.load(std::memory_order_relaxed))
    return true;
  try {
    Handles.reserve(WorkerCount + 1); // and one that stands in
  } catch (const std::bad_alloc &) {
    return false;
  }
  for (unsigned I = 0; I != WorkerCount; ++I)
    if (!startThread(threadMain))
      break;
  if (Handles.empty())
    return false;         // the next launch tries again
  installFaultHandlers(); // before there is work
  XCC_LOG(Device, "host: started %zu of %u workers", Handles.size(),
          WorkerCount);
  Started.store(true, std::memory_order_release);
  return true;
}

void Pool::stop() {
  // From now on who launches also runs.
  Stopped.store(true, std::memory_order_seq_cst);
  Stopping.store(true, std::memory_order_seq_cst);
  std::lock_guard Lock(StartMutex);
  Epoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(Epoch);
  for (pthread_t Handle : Handles)
    pthread_join(Handle, nullptr);
  Handles.clear();
  if (Started.load(std::memory_order_relaxed))
    removeFaultHandlers();
}

void Pool::add(CpuQueue &Q) { push(Queues, Q); }

void *Pool::threadMain(void *Self) {
  ownThreadBegins();
  auto &P = *static_cast<Pool *>(Self);
  unsigned Index = P.NextIndex.fetch_add(1, std::memory_order_relaxed);
  char Name[16];
  snprintf(Name, sizeof(Name), "xcc worker %u", Index % 1000);
  pthread_setname_np(pthread_self(), Name);
  trace::nameThread(Name);
  if (Worker *W = Worker::current()) {
    W->Share = Index;
    P.work(*W);
  } else {
    complain("no memory for worker %u; it ends", Index);
  }
  ownThreadEnds();
  return nullptr;
}

/// The next queue after \p After, in a ring, that has work; null for none.
CpuQueue *Pool::findWork(CpuQueue *After) {
  for (CpuQueue *Q = After; Q; Q = Q->Next)
    if (Q->hasWork())
      return Q;
  for (CpuQueue *Q = queues(); Q && Q != After; Q = Q->Next)
    if (Q->hasWork())
      return Q;
  return nullptr;
}

/// Looks for work until it is found, the time is over or the pool stops.
CpuQueue *Pool::look(CpuQueue *After) {
  Looking.fetch_add(1, std::memory_order_seq_cst);
  uint64_t Start = ticks();
  CpuQueue *Found;
  while (!(Found = findWork(After)) &&
         !Stopping.load(std::memory_order_relaxed) &&
         ticks() - Start < SpinTicks)
    relax();
  unsigned Others = Looking.fetch_sub(1, std::memory_order_seq_cst) - 1;
  // Somebody may have relied on our looking and woken nobody.
  if (Found && Others == 0 && Sleeping.load(std::memory_order_seq_cst) != 0)
    for (CpuQueue *Q = queues(); Q; Q = Q->Next)
      if (Q != Found && Q->hasWork()) {
        wake(1);
        break;
      }
  return Found;
}

void Pool::sleep() {
  uint32_t Seen = Epoch.load(std::memory_order_seq_cst);
  Sleeping.fetch_add(1, std::memory_order_seq_cst);
  if (!findWork(nullptr) && !Stopping.load(std::memory_order_seq_cst))
    for (CpuQueue *Q = queues();; Q = Q->Next) {
      if (!Q) {
        futexWait(Epoch, Seen);
        break;
      }
      if (!Q->idle()) { // somebody runs a kernel
        futexWaitFor(Epoch, Seen, LookWhileWaiting);
        keepFaultHandlers(ticks());
        break;
      }
    }
  Sleeping.fetch_sub(1, std::memory_order_seq_cst);
}

void Pool::work(Worker &W) {
  CpuQueue *Last = nullptr;
  while (true) {
    if (CpuQueue *Found = look(Last)) {
      Found->help(W, Found->readIndex() + Turn);
      Last = Found->Next;
      continue;
    }
    if (Stopping.load(std::memory_order_seq_cst) && !findWork(nullptr))
      return;
    sleep();
  }
}

void Pool::wake(unsigned Count) {
  Epoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(Epoch, static_cast<int>(Count));
}

} // namespace xcc::rt::cpu
