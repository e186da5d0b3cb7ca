// Watching long waits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unwritten_wait.h"
#include "device.h"
#include "process/futex.h"
#include "process/main_end.h"
#include "process/settings.h"
#include "process/trace.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace xcc::rt {

/// The watching thread, and the list of waits.
class WaitWatch {
public:
  void add(ImplicitWait &w);
  void remove(ImplicitWait &w);
  void stop();

  void enter(Device &on) {
    written.fetch_add(1, std::memory_order_seq_cst);
    if (paused.load(std::memory_order_seq_cst)) [[unlikely]]
      wake(on);
  }
  void leave() { written.fetch_sub(1, std::memory_order_relaxed); }
  std::atomic<bool> reportedWritten{false};

private:
  void begin();
  static void *watch(void *self);
  /// Returns false if no thread waits.
  bool look(uint64_t after);
  void look(ImplicitWait &w, uint64_t now, uint64_t after);
  [[gnu::cold]] void wake(Device &on);
  /// Returns false if no thread is in a written wait, and none was since the
  /// last look.
  bool checkWritten(uint64_t after);

  std::atomic<uint32_t> written{0}; ///< threads in a written wait
  std::atomic<bool> paused{true};   ///< written waits are not watched
  bool notified = false;
  Device *device = nullptr;
  uint64_t progress = 0, passed = 0, looked = 0;

  std::mutex mutex;
  ImplicitWait *first = nullptr;
  pthread_t thread{};
  bool running = false, sleeps = false, stopped = false;
  std::atomic<uint32_t> changes{0};
};

static constinit WaitWatch theWatch;

void WaitWatch::add(ImplicitWait &w) {
  std::lock_guard lock(mutex);
  if (stopped)
    return;
  w.listed = true;
  w.next = first;
  w.link = &first;
  if (first)
    first->link = &w.next;
  first = &w;
  if (!running)
    begin();
  else if (sleeps) {
    changes.fetch_add(1);
    futexWake(changes);
  }
}

void WaitWatch::remove(ImplicitWait &w) {
  std::lock_guard lock(mutex);
  *w.link = w.next;
  if (w.next)
    w.next->link = w.link;
}

void WaitWatch::begin() {
  // Signals are for the program's own threads, so block them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running = pthread_create(&thread, nullptr, watch, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WaitWatch::look(ImplicitWait &w, uint64_t now, uint64_t after) {
  uint64_t progress = 0;
  if (w.reported || !w.on.busy(w.only, progress))
    return;
  if (!w.since || progress != w.progress) {
    w.progress = progress;
    w.since = now;
  }
  if (now - w.since < after)
    return;
  char what[160];
  snprintf(what, sizeof(what),
           "%s waits for it; XCC_NOTICE_AFTER sets when this message appears",
           w.who);
  w.reported = w.on.reportUnfinished(w.only, what);
}

void WaitWatch::wake(Device &on) {
  std::lock_guard lock(mutex);
  if (stopped || !paused)
    return;
  device = &on;
  notified = true;
  passed = 0;
  looked = trace::now();
  paused = false;
  if (!running)
    begin();
  changes.fetch_add(1);
  futexWake(changes);
}

bool WaitWatch::checkWritten(uint64_t after) {
  // The extra second lets the report of a wait within a block come first.
  constexpr uint64_t second = 1'000'000'000;
  if (paused)
    return false;
  uint64_t now = trace::now(), ended = 0;
  const bool waits = written != 0;
  if (!waits || first || !device->busy(nullptr, ended) || ended != progress) {
    progress = ended;
    passed = 0;
    reportedWritten = false;
  } else {
    // A debugger may have stopped the process, so count at most two seconds.
    passed += std::min(now - looked, 2 * second);
    if (passed >= after + second && !reportedWritten.exchange(true))
      device->reportUnfinished(
          nullptr,
          "a thread waits for it. Blocks that wait for other blocks, by "
          "a flag in memory, may wait forever: launch a cooperative "
          "kernel, which has sync_grid. XCC_NOTICE_AFTER sets when this "
          "message appears");
  }
  looked = now;
  if (waits || std::exchange(notified, false))
    return true;
  // A waiting thread first counts itself and then reads resting; so this thread
  // sets resting and then reads the count.
  paused.store(true, std::memory_order_seq_cst);
  if (written.load(std::memory_order_seq_cst) == 0)
    return false;
  paused = false;
  return true;
}

bool WaitWatch::look(uint64_t after) {
  std::lock_guard lock(mutex);
  for (ImplicitWait *w = first; w; w = w->next)
    look(*w, trace::now(), after);
  sleeps = !checkWritten(after) && !first;
  return !sleeps;
}

void *WaitWatch::watch(void *self) {
  auto &all = *static_cast<WaitWatch *>(self);
  constexpr uint64_t least = 1'000'000, most = 1'000'000'000;
  pthread_setname_np(pthread_self(), "xcc waits");
  ownThreadBegins();
  const uint64_t after = noticeAfter();
  const uint64_t pause = std::clamp(after / 4, least, most);
  while (true) {
    const uint32_t seen = all.changes.load();
    {
      std::lock_guard lock(all.mutex);
      if (all.stopped)
        break;
    }
    if (all.look(after))
      futexWaitFor(all.changes, seen, pause);
    else
      futexWait(all.changes, seen);
  }
  ownThreadEnds();
  return nullptr;
}

void WaitWatch::stop() {
  {
    std::lock_guard lock(mutex);
    stopped = true;
    if (!running)
      return;
    changes.fetch_add(1);
    futexWake(changes);
  }
  pthread_join(thread, nullptr);
}

ImplicitWait::ImplicitWait(Device &on, const char *who, const Queue *only)
    : on(on), only(only), who(who) {
  uint64_t progress;
  if (on.busy(only, progress)) [[unlikely]]
    theWatch.add(*this);
}

ImplicitWait::~ImplicitWait() {
  if (listed) [[unlikely]]
    theWatch.remove(*this);
}

ExplicitWait::ExplicitWait(Device &on) { theWatch.enter(on); }
ExplicitWait::~ExplicitWait() { theWatch.leave(); }
void reportedWrittenWaits() { theWatch.reportedWritten = true; }

void stopWaitWatch() { theWatch.stop(); }

} // namespace xcc::rt
