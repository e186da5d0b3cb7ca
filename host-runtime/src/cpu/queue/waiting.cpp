// Threads that wait for a queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/device.h"
#include "cpu/faults/faults.h"
#include "cpu/workers/sanitizer.h"
#include "devices/unwritten_wait.h"
#include "process/futex.h"
#include "process/trace.h"
#include "processor.h"

#include <sched.h>

namespace xcc::rt::cpu {

void PacketProcessor::wakeWaiting() {
  if (waiting.load(std::memory_order_seq_cst) == 0) [[likely]]
    return;
  waitEpoch.fetch_add(1, std::memory_order_release);
  futexWake(waitEpoch);
}

namespace {
/// Keeps pthread_cancel from ending the thread in the middle of a kernel. The
/// cancellation takes effect after the wait.
class NotCancelled {
public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); }
  ~NotCancelled() { pthread_setcancelstate(old, nullptr); }
  NotCancelled(const NotCancelled &) = delete;
  NotCancelled &operator=(const NotCancelled &) = delete;

private:
  int old;
};
} // namespace

void PacketProcessor::waitFor(uint64_t until) {
  waitUnordered(until);
  sanitizer::acquire(&ring.begun);
}

namespace {
/// Whether the calling thread is counted among those that could help.
class Attendance {
public:
  explicit Attendance(std::atomic<uint32_t> &count) : count(count) {}
  ~Attendance() { set(false); }
  Attendance(const Attendance &) = delete;
  Attendance &operator=(const Attendance &) = delete;
  void set(bool now) {
    if (now != counted)
      count.fetch_add(now ? 1 : -1, std::memory_order_relaxed);
    counted = now;
  }

private:
  std::atomic<uint32_t> &count;
  bool counted = false;
};
} // namespace

void PacketProcessor::waitUnordered(uint64_t until) {
  if (readIndex() >= until)
    return;
  NotCancelled here;
  const ExplicitWait watched(device());
  // Without memory for a worker, this thread only waits for the others.
  Worker *w = Worker::current();
  uint64_t deadline = 0;
  Attendance attendance(attending);
  while (readIndex() < until) {
    if (w && hasWork())
      attendance.set(false); // it is about to do something
    if (w && help(*w, until)) {
      deadline = 0;
      continue;
    }
    if (w && blockedOn.load(std::memory_order_acquire) &&
        workers.helpOthers(*w, *this))
      continue;
    uint64_t now = ticks();
    if (!deadline)
      deadline = now + workers.spinTicks();
    if (now < deadline) {
      attendance.set(w != nullptr);
      relax();
      continue;
    }
    attendance.set(false);
    if (workers.stopped()) {
      sched_yield(); // no thread may be left to wake this one
      continue;
    }
    uint32_t epoch = waitEpoch.load(std::memory_order_acquire);
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (ring.readIndex.load(std::memory_order_seq_cst) < until &&
        (!hasWork() || !workers.tokenIsFree()))
      futexWaitFor(waitEpoch, epoch, CheckWhileWaiting);
    waiting.fetch_sub(1, std::memory_order_relaxed);
    keepFaultHandlers(ticks());
  }
}

bool PacketProcessor::watch(uint64_t timeout) {
  uint64_t until = ring.writeIndex.load(std::memory_order_acquire);
  uint64_t seen = Worker::progress(), since = trace::now();
  while (readIndex() < until) {
    uint32_t epoch = waitEpoch.load(std::memory_order_acquire);
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (ring.readIndex.load(std::memory_order_seq_cst) < until)
      futexWaitFor(waitEpoch, epoch, 1'000'000);
    waiting.fetch_sub(1, std::memory_order_relaxed);
    if (uint64_t now = Worker::progress(); now != seen) {
      seen = now;
      since = trace::now();
    } else if (trace::now() - since >= timeout) {
      return readIndex() >= until;
    }
  }
  return true;
}

bool PacketProcessor::isIdle() {
  if (readIndex() < ring.writeIndex.load(std::memory_order_acquire))
    return false;
  sanitizer::acquire(&ring.begun);
  return true;
}

} // namespace xcc::rt::cpu
