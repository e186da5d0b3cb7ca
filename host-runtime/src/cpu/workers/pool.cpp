// The worker threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool.h"
#include "cpu/faults/faults.h"
#include "cpu/workers/sanitizer.h"
#include "process/futex.h"
#include "process/log.h"
#include "process/main_end.h"
#include "process/thread_state.h"
#include "process/trace.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

namespace xcc::rt::cpu {

/// How long an idle worker looks for work before it sleeps, in ticks: about 60
/// us at 2.5 GHz, some ten times the time to wake a thread.
static constexpr uint64_t SpinTicks = 150'000;
/// Packets that a worker runs for one queue before it looks at the others.
static constexpr uint64_t PacketsAtATime = 16;

/// ThreadSanitizer supports some 8100 threads at a time, and counts each thread
/// of a block.
static unsigned mostThreads() {
  return sanitizer::thread() ? 6144 / XCC_CPU_MAX_BLOCK : ~0u;
}

Pool::Pool(unsigned threads)
    : threads_(std::min(std::max(threads, 1u), mostThreads())),
      workerCount(std::max(this->threads_, 2u) - 1),
      // On a single core, looking for work only delays other threads.
      spinTicks_(threads > 1 ? SpinTicks : 0) {}

/// The least stack of a worker, even if the program's limit (ulimit -s) is
/// smaller: kernels run on it, and the functions they call.
static constexpr size_t LeastStack = 1 << 20;

namespace {
/// The attributes of new threads.
class Attributes {
public:
  Attributes() {
    size_t size;
    if (pthread_attr_init(&held) != 0)
      return;
    made = true;
    if (pthread_attr_getstacksize(&held, &size) == 0 && size < LeastStack)
      pthread_attr_setstacksize(&held, LeastStack);
  }
  ~Attributes() {
    if (made)
      pthread_attr_destroy(&held);
  }
  Attributes(const Attributes &) = delete;
  Attributes &operator=(const Attributes &) = delete;
  const pthread_attr_t *get() const { return made ? &held : nullptr; }

private:
  pthread_attr_t held;
  bool made = false;
};
} // namespace

bool Pool::startThread(void *(*main)(void *)) {
  pthread_t handle;
  const bool good = startPart(handle, main, this);
  if (good)
    handles.push_back(handle);
  return good;
}

bool Pool::startPart(pthread_t &out, void *(*main)(void *), void *argument) {
  // Workers must not take signals that are meant for the program.
  Attributes own;
  sigset_t old, blocked;
  sigfillset(&blocked);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigdelset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, &old);
  int failed = pthread_create(&out, own.get(), main, argument);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return !failed;
}

void Pool::addStandIn() {
  std::lock_guard lock(startMutex);
  if (started.load(std::memory_order_relaxed))
    startThread(standInMain);
}

void *Pool::standInMain(void *self) {
  ownThreadBegins();
  if (Worker *w = Worker::current()) {
    w->ofPool = true;
    static_cast<Pool *>(self)->work(*w);
  }
  ownThreadEnds();
  return nullptr;
}

bool Pool::startWorkers() {
  std::lock_guard lock(startMutex);
  if (started.load(std::memory_order_relaxed))
    return true;
  try {
    handles.reserve(workerCount + 1); // one more for a stand-in
  } catch (const std::bad_alloc &) {
    return false;
  }
  for (unsigned i = 0; i != workerCount; ++i)
    if (!startThread(threadMain))
      break;
  if (handles.empty())
    return false;         // the next launch tries again
  installFaultHandlers(); // before there is work
  XCC_LOG(Device, "host: started %zu of %u workers", handles.size(),
          workerCount);
  started.store(true, std::memory_order_release);
  return true;
}

void Pool::stop() {
  // From now on, threads that launch also run their work.
  stopped_.store(true, std::memory_order_seq_cst);
  stopping.store(true, std::memory_order_seq_cst);
  std::lock_guard lock(startMutex);
  epoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(epoch);
  for (pthread_t handle : handles)
    pthread_join(handle, nullptr);
  handles.clear();
  removeFaultHandlers();
}

void *Pool::threadMain(void *self) {
  ownThreadBegins();
  auto &p = *static_cast<Pool *>(self);
  unsigned index = p.nextIndex.fetch_add(1, std::memory_order_relaxed);
  char name[16];
  snprintf(name, sizeof(name), "xcc worker %u", index % 1000);
  pthread_setname_np(pthread_self(), name);
  trace::nameThread(name);
  if (Worker *w = Worker::current()) {
    w->share = index < p.threads() ? index : 0;
    w->ofPool = true;
    p.work(*w);
  } else {
    complain("no memory for worker %u; it ends", index);
  }
  ownThreadEnds();
  return nullptr;
}

void Pool::add(WorkSource &source) {
  if (source.priority)
    hasPriorities.store(true, std::memory_order_relaxed);
  sources.add(source);
}

bool Pool::helpOthers(Worker &w, const WorkSource &but) {
  bool did = false;
  for (WorkSource &q : sources)
    if (&q != &but && q.hasWork())
      did |= q.helpFor(w, 1);
  return did;
}

/// The next queue after \p after, in a ring, that has work; null if none has.
WorkSource *Pool::findWork(WorkSource *after) {
  if (!tokenIsFree())
    return nullptr;
  const bool any = !hasPriorities.load(std::memory_order_relaxed);
  WorkSource *found = nullptr;
  // Find the first queue of the most urgent priority.
  auto look = [&](WorkSource *q) {
    if (q->hasWork() && (!found || q->priority < found->priority))
      found = q;
    return found && any;
  };
  for (WorkSource *q = after; q; q = q->next)
    if (look(q))
      return found;
  for (WorkSource *q = sources.first(); q && q != after; q = q->next)
    if (look(q))
      return found;
  return found;
}

//===----------------------------------------------------------------------===//
// One thread at a time
//===----------------------------------------------------------------------===//

/// If no block ends for this long, the running thread may wait for work that
/// another thread would run. The other thread then runs as well.
static constexpr uint64_t TokenTimeout = 1'000'000'000; // ns

bool Pool::tokenIsFree() {
  if (!single() || !tokenTaken.load(std::memory_order_seq_cst)) [[likely]]
    return true;
  uint64_t progress = Worker::progress(), now = trace::now();
  if (tokenProgress.exchange(progress, std::memory_order_relaxed) != progress)
    tokenSince.store(now, std::memory_order_relaxed);
  return now - tokenSince.load(std::memory_order_relaxed) > TokenTimeout;
}

bool Pool::acquireToken() {
  if (tokenTaken.exchange(true, std::memory_order_seq_cst))
    return false;
  tokenSince.store(trace::now(), std::memory_order_relaxed);
  return true;
}

/// Releases the token, and wakes threads that may have waited for it.
void Pool::releaseToken() {
  tokenTaken.store(false, std::memory_order_seq_cst);
  for (WorkSource &q : sources)
    if (q.hasWork()) {
      q.wakeWaiting();
      ring();
    }
}

RunToken::RunToken(Pool &p, const Worker &w) : pool(p) {
  // A call from inside a block uses its token. So do host functions that a
  // block waits for: they run on the runtime's own threads.
  if (!p.single() || w.inKernel() || (peekThreadState().own && !w.ofPool))
      [[likely]]
    return;
  taken = p.acquireToken();
  runs = taken || p.tokenIsFree();
}

/// Looks for work until it finds some, the time is over or the pool stops.
WorkSource *Pool::look(WorkSource *after) {
  looking.fetch_add(1, std::memory_order_seq_cst);
  uint64_t start = ticks();
  WorkSource *found;
  while (!(found = findWork(after)) &&
         !stopping.load(std::memory_order_relaxed) &&
         ticks() - start < spinTicks_)
    relax();
  unsigned others = looking.fetch_sub(1, std::memory_order_seq_cst) - 1;
  // Another thread may have woken no worker because this one was looking.
  if (found && others == 0 && sleeping.load(std::memory_order_seq_cst) != 0)
    for (WorkSource &q : sources)
      if (&q != found && q.hasWork()) {
        wake(1);
        break;
      }
  return found;
}

/// Sleeps while \c epoch is \p seen.
void Pool::waitForWork(uint32_t seen) {
  for (WorkSource &q : sources)
    if (!q.isIdle()) { // another thread runs a kernel
      futexWaitFor(epoch, seen, CheckWhileWaiting);
      keepFaultHandlers(ticks());
      return;
    }
  futexWait(epoch, seen);
}

void Pool::sleep() {
  uint32_t seen = epoch.load(std::memory_order_seq_cst);
  sleeping.fetch_add(1, std::memory_order_seq_cst);
  if (!findWork(nullptr) && !stopping.load(std::memory_order_seq_cst))
    waitForWork(seen);
  sleeping.fetch_sub(1, std::memory_order_seq_cst);
}

void Pool::work(Worker &w) {
  WorkSource *last = nullptr;
  while (true) {
    if (WorkSource *found = look(last)) {
      found->helpFor(w, PacketsAtATime);
      last = found->next;
      continue;
    }
    if (stopping.load(std::memory_order_seq_cst) && !findWork(nullptr))
      return;
    sleep();
  }
}

void Pool::wake(unsigned count) {
  epoch.fetch_add(1, std::memory_order_seq_cst);
  futexWake(epoch, static_cast<int>(count));
}

} // namespace xcc::rt::cpu
