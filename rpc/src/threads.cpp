// The serving threads and their sleep
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <chrono>
#include <ctime>
#include <system_error>

using namespace xcc::rpc;

/// How often a poller looks before it sleeps: about the cost of waking it.
static constexpr uint32_t MostSpins = 1024;
static constexpr unsigned SlowLimit = 6;
static constexpr std::chrono::milliseconds TickLength{5};
/// After this many ticks without a call the monitor sleeps.
static constexpr unsigned QuietTicks = 4;

int64_t xcc::rpc::now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Wakes sleeping pollers.
void xcc_rpc_server::ring(uint32_t threads) {
  Control &c = protocol.view().control();
  atomic::exchangeStrong(&c.serverSleeps, 0);
  atomic::addStrong(&c.doorbell, 1);
  futexWake(&c.doorbell, threads, shared);
}

/// Called when nothing was pending. Spins first, then sleeps: until a client
/// rings, or, if clients cannot ring, for increasing times.
void xcc_rpc_server::rest(Worker &w, uint32_t &idle) {
  if (idle < MostSpins >> w.slow) {
    if (++idle % 64 == 16)
      yield();
    else
      relax();
    return;
  }
  if (!clientsWake && inFlight.load()) {
    uint32_t times = ++idle - (MostSpins >> w.slow);
    timespec nap = {0, 1000L << (times / 8 < 6 ? times / 8 : 6)};
    nanosleep(&nap, nullptr);
    return;
  }
  w.slow += w.slow < SlowLimit;
  idle = 0;
  Control &c = protocol.view().control();
  if (shared && atomic::exchangeStrong(&c.reclaimRequested, 0))
    reclaim();
  uint32_t rung = atomic::loadStrong(&c.doorbell);
  asleep.fetch_add(1);
  atomic::exchangeStrong(&c.serverSleeps, 1);
  if (!stopping.load() && !anyPending() && (clientsWake || !inFlight.load()))
    futexWait(&c.doorbell, rung, shared);
  asleep.fetch_sub(1);
  atomic::exchangeStrong(&c.serverSleeps, 0);
  if (asleep.load())
    atomic::exchangeStrong(&c.serverSleeps, 1); // others still sleep
}

void xcc_rpc_server::poll(Worker &w) {
  uint32_t idle = 0;
  while (!stopping.load(std::memory_order_relaxed) &&
         !w.blockedInCallback.load(std::memory_order_relaxed)) {
    if (!serve(w)) {
      rest(w, idle);
      continue;
    }
    w.slow -= idle && w.slow; // spinning was worthwhile
    idle = 0;
  }
}

void xcc_rpc_server::run(Worker &w) {
  const Serving here(this, &w);
  std::unique_lock lock(mutex);
  while (!stopping.load()) {
    if (pollers - blockedInCallback >= options.threads) {
      ++unused;
      work.wait(lock);
      --unused;
      continue;
    }
    ++pollers;
    w.polls = true;
    lock.unlock();
    poll(w);
    lock.lock();
    w.polls = false;
    --pollers;
    blockedInCallback -= w.blockedInCallback.exchange(false);
    w.calls.store(false);
  }
}

/// Ensures that a thread serves while the callback on \p w waits; returns false
/// if there is none. Call this under mutex.
bool xcc_rpc_server::othersServe(Worker &w) {
  w.calls.store(true);
  if (stopping.load() || !live.load())
    return w.ownThread; // stopThreads serves calls of these
  if (w.polls && !w.blockedInCallback.load()) {
    w.blockedInCallback.store(true);
    ++blockedInCallback;
  }
  return pollers - blockedInCallback >= options.threads || addThread() ||
         pollers != blockedInCallback;
}

/// Called when the callback on \p w is about to wait. Returns true if calls had
/// to be served on this thread.
bool xcc_rpc_server::willWait(Worker &w) {
  {
    std::lock_guard guard(mutex);
    if (othersServe(w))
      return false;
  }
  if (!serveHere())
    yield();
  return true;
}

/// Starts a thread that runs \p body. Throws if there is none.
template <class Fn> void xcc_rpc_server::startThread(Fn body) {
  threads.emplace_back([this, body] {
    // The server may be destroyed when \p body has returned.
    const auto ends = options.thread_ends;
    void *const context = options.context;
    if (options.thread_begins)
      options.thread_begins(context);
    body();
    if (ends)
      ends(context);
  });
}

/// Makes another thread poll. Call this under mutex.
bool xcc_rpc_server::addThread() {
  if (unused) {
    work.notify_one();
    return true;
  }
  if (workers.size() >= options.max_threads)
    return false;
  try {
    workers.push_back(std::make_unique<Worker>());
  } catch (const std::bad_alloc &) {
    return false;
  }
  live.fetch_add(1);
  try {
    startThread([this, w = workers.back().get()] {
      run(*w);
      live.fetch_sub(1);
    });
  } catch (const std::exception &) {
    live.fetch_sub(1);
    workers.pop_back();
    return false;
  }
  return true;
}

/// Wakes the monitor, because a call begins.
void xcc_rpc_server::noticeWork() {
  if (ticking.load(std::memory_order_relaxed))
    return;
  std::lock_guard guard(mutex);
  ticking.store(true);
  watch.notify_one();
}

/// Finds pollers that are held up. Returns true if there was a call since the
/// last time. Call this under mutex.
bool xcc_rpc_server::examine() {
  bool busy = false;
  for (auto &w : workers) {
    uint64_t beat = w->beat.load();
    bool same = beat == w->seenBeat, inCallback = beat & 1;
    w->seenBeat = beat;
    busy |= !same || inCallback;
    if (same && inCallback && w->polls && !w->blockedInCallback.load()) {
      w->blockedInCallback.store(true);
      ++blockedInCallback;
    }
  }
  if (pollers - blockedInCallback < options.threads && !addThread() &&
      anyPending())
    cutLongest();
  return busy;
}

/// Called when calls wait and no thread is free: cuts off the call that has
/// waited longest for its client, if that exceeds the patience. Call this under
/// mutex.
void xcc_rpc_server::cutLongest() {
  int64_t since = now() - options.patience_ms;
  for (xcc_rpc_port *port = waiting; port; port = port->next)
    if (port->waitsSince <= since && !port->cut.exchange(true))
      return;
}

void xcc_rpc_server::monitor() {
  std::unique_lock lock(mutex);
  unsigned quiet = 0;
  while (!stopping.load()) {
    if (!ticking.load()) {
      watch.wait(lock);
      quiet = 0;
      continue;
    }
    watch.wait_for(lock, TickLength);
    if (stopping.load())
      break; // a thread started now would never be joined
    bool busy = examine();
    if (shared && busy) {
      lock.unlock();
      reclaim();
      lock.lock();
    }
    quiet = busy ? 0 : quiet + 1;
    if (quiet < QuietTicks || stopping.load())
      continue;
    // A call that began just now may have found ticking still true. At the end
    // of another tick, examine() sees that it has begun.
    ticking.store(false);
    watch.wait_for(lock, TickLength);
    if (!stopping.load() && examine())
      ticking.store(true);
  }
}

xcc_rpc_status xcc_rpc_server::start() {
  std::lock_guard guard(startStop);
  if (running)
    return XCC_RPC_BUSY;
  std::unique_lock lock(mutex);
  stopping.store(false);
  ticking.store(false);
  running = true;
  xcc_rpc_status status = XCC_RPC_SUCCESS;
  try {
    startThread([this] { monitor(); });
    for (uint32_t i = 0; i != options.threads; ++i)
      if (!addThread())
        status = XCC_RPC_SYSTEM;
  } catch (const std::exception &) {
    status = XCC_RPC_SYSTEM;
  }
  lock.unlock();
  if (status)
    stopThreads();
  return status;
}

void xcc_rpc_server::stop() {
  std::lock_guard guard(startStop);
  if (running)
    stopThreads();
}

void xcc_rpc_server::stopThreads() {
  std::vector<std::thread> ending;
  {
    std::lock_guard guard(mutex);
    stopping.store(true);
    ending.swap(threads);
  }
  work.notify_all();
  watch.notify_all();
  ring(0x7fffffff);
  // A callback may wait for a call that it made itself, and the pollers may
  // have ended. So serve that call here.
  auto callsItself = [this] {
    std::lock_guard guard(mutex);
    for (auto &w : workers)
      if (w->calls.load() && w->inCallback())
        return true;
    return false;
  };
  for (timespec nap = {0, 1'000}; live.load();) {
    if (callsItself() && serveHere())
      continue;
    nanosleep(&nap, nullptr);
    nap.tv_nsec = nap.tv_nsec < 500'000 ? nap.tv_nsec * 2 : nap.tv_nsec;
  }
  for (std::thread &t : ending)
    t.join();
  workers.clear();
  running = false;
}
