// Who serves, and when they sleep
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <chrono>
#include <ctime>
#include <system_error>

using namespace xcc::rpc;

/// Looks before a poller sleeps: about what waking it costs its client.
static constexpr uint32_t MostSpins = 1024;
static constexpr unsigned SlowLimit = 6;
static constexpr std::chrono::milliseconds TickLength{5};
/// Ticks without a call before the monitor sleeps.
static constexpr unsigned QuietTicks = 4;

int64_t xcc::rpc::now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Wakes pollers that sleep between calls.
void xcc_rpc_server::ring(uint32_t Threads) {
  Control &C = Protocol.view().control();
  atomic::exchangeStrong(&C.ServerSleeps, 0);
  atomic::addStrong(&C.Doorbell, 1);
  futexWake(&C.Doorbell, Threads, Shared);
}

/// Nothing was pending. Spins, then sleeps until somebody rings or, where
/// clients cannot, for longer and longer.
void xcc_rpc_server::rest(Worker &W, uint32_t &Idle) {
  if (Idle < MostSpins >> W.Slow) {
    if (++Idle % 64 == 16)
      yield();
    else
      relax();
    return;
  }
  if (!ClientsWake && InFlight.load()) {
    uint32_t Times = ++Idle - (MostSpins >> W.Slow);
    timespec Nap = {0, 1000L << (Times / 8 < 6 ? Times / 8 : 6)};
    nanosleep(&Nap, nullptr);
    return;
  }
  W.Slow += W.Slow < SlowLimit;
  Idle = 0;
  Control &C = Protocol.view().control();
  if (Shared && atomic::exchangeStrong(&C.ReclaimWanted, 0))
    reclaim();
  uint32_t Rung = atomic::loadStrong(&C.Doorbell);
  Asleep.fetch_add(1);
  atomic::exchangeStrong(&C.ServerSleeps, 1);
  if (!Stopping.load() && !anyPending() && (ClientsWake || !InFlight.load()))
    futexWait(&C.Doorbell, Rung, Shared);
  Asleep.fetch_sub(1);
  atomic::exchangeStrong(&C.ServerSleeps, 0);
  if (Asleep.load())
    atomic::exchangeStrong(&C.ServerSleeps, 1); // Others still do.
}

void xcc_rpc_server::poll(Worker &W) {
  uint32_t Idle = 0;
  while (!Stopping.load(std::memory_order_relaxed) &&
         !W.HeldUp.load(std::memory_order_relaxed)) {
    if (!serve(W)) {
      rest(W, Idle);
      continue;
    }
    W.Slow -= Idle && W.Slow; // Spinning has paid.
    Idle = 0;
  }
}

void xcc_rpc_server::run(Worker &W) {
  const Serving Here(this, &W);
  std::unique_lock Lock(Mutex);
  while (!Stopping.load()) {
    if (Pollers - HeldUp >= Options.threads) {
      ++Unused;
      Work.wait(Lock);
      --Unused;
      continue;
    }
    ++Pollers;
    W.Polls = true;
    Lock.unlock();
    poll(W);
    Lock.lock();
    W.Polls = false;
    --Pollers;
    HeldUp -= W.HeldUp.exchange(false);
    W.Calls.store(false);
  }
}

/// Is there a thread that serves while the callback on W waits? Under Mutex.
bool xcc_rpc_server::othersServe(Worker &W) {
  W.Calls.store(true);
  if (Stopping.load() || !Live.load())
    return W.OwnThread; // stopThreads looks after these.
  if (W.Polls && !W.HeldUp.load()) {
    W.HeldUp.store(true);
    ++HeldUp;
  }
  return Pollers - HeldUp >= Options.threads || addThread() ||
         Pollers != HeldUp;
}

/// The callback that runs on W will wait; true when that let calls be served
/// here.
bool xcc_rpc_server::willWait(Worker &W) {
  {
    std::lock_guard Guard(Mutex);
    if (othersServe(W))
      return false;
  }
  if (!serveHere())
    yield();
  return true;
}

/// Has a thread of its own run something. Throws where there is none.
template <class Fn> void xcc_rpc_server::startThread(Fn Body) {
  Threads.emplace_back([this, Body] {
    // The server may be gone when the last line is done.
    const auto Ends = Options.thread_ends;
    void *const Context = Options.context;
    if (Options.thread_begins)
      Options.thread_begins(Context);
    Body();
    if (Ends)
      Ends(Context);
  });
}

/// Has another thread poll; under Mutex.
bool xcc_rpc_server::addThread() {
  if (Unused) {
    Work.notify_one();
    return true;
  }
  if (Workers.size() >= Options.max_threads)
    return false;
  try {
    Workers.push_back(std::make_unique<Worker>());
  } catch (const std::bad_alloc &) {
    return false;
  }
  Live.fetch_add(1);
  try {
    startThread([this, W = Workers.back().get()] {
      run(*W);
      Live.fetch_sub(1);
    });
  } catch (const std::exception &) {
    Live.fetch_sub(1);
    Workers.pop_back();
    return false;
  }
  return true;
}

/// A call begins: the monitor had better be awake.
void xcc_rpc_server::noticeWork() {
  if (Ticking.load(std::memory_order_relaxed))
    return;
  std::lock_guard Guard(Mutex);
  Ticking.store(true);
  Watch.notify_one();
}

/// Under Mutex. True when there was a call since the last time.
bool xcc_rpc_server::examine() {
  bool Busy = false;
  for (auto &W : Workers) {
    uint64_t Beat = W->Beat.load();
    bool Same = Beat == W->SeenBeat, InCallback = Beat & 1;
    W->SeenBeat = Beat;
    Busy |= !Same || InCallback;
    if (Same && InCallback && W->Polls && !W->HeldUp.load()) {
      W->HeldUp.store(true);
      ++HeldUp;
    }
  }
  if (Pollers - HeldUp < Options.threads && !addThread() && anyPending())
    cutLongest();
  return Busy;
}

/// No thread is free and calls wait: ends the call whose client has been
/// silent the longest, if that is long. Under Mutex.
void xcc_rpc_server::cutLongest() {
  int64_t Since = now() - Options.patience_ms;
  for (xcc_rpc_port *Port = Waiting; Port; Port = Port->Next)
    if (Port->WaitsSince <= Since && !Port->Cut.exchange(true))
      return;
}

void xcc_rpc_server::monitor() {
  std::unique_lock Lock(Mutex);
  unsigned Quiet = 0;
  while (!Stopping.load()) {
    if (!Ticking.load()) {
      Watch.wait(Lock);
      Quiet = 0;
      continue;
    }
    Watch.wait_for(Lock, TickLength);
    if (Stopping.load())
      break; // Threads that start now would not be waited for.
    bool Busy = examine();
    if (Shared && Busy) {
      Lock.unlock();
      reclaim();
      Lock.lock();
    }
    Quiet = Busy ? 0 : Quiet + 1;
    if (Quiet < QuietTicks || Stopping.load())
      continue;
    // A call that began just now found Ticking true; by the end of another tick
    // that it has begun is to be seen here.
    Ticking.store(false);
    Watch.wait_for(Lock, TickLength);
    if (!Stopping.load() && examine())
      Ticking.store(true);
  }
}

xcc_rpc_status xcc_rpc_server::start() {
  std::lock_guard Guard(StartStop);
  if (Running)
    return XCC_RPC_BUSY;
  std::unique_lock Lock(Mutex);
  Stopping.store(false);
  Ticking.store(false);
  Running = true;
  xcc_rpc_status Status = XCC_RPC_SUCCESS;
  try {
    startThread([this] { monitor(); });
    for (uint32_t I = 0; I != Options.threads; ++I)
      if (!addThread())
        Status = XCC_RPC_SYSTEM;
  } catch (const std::exception &) {
    Status = XCC_RPC_SYSTEM;
  }
  Lock.unlock();
  if (Status)
    stopThreads();
  return Status;
}

void xcc_rpc_server::stop() {
  std::lock_guard Guard(StartStop);
  if (Running)
    stopThreads();
}

void xcc_rpc_server::stopThreads() {
  std::vector<std::thread> Ending;
  {
    std::lock_guard Guard(Mutex);
    Stopping.store(true);
    Ending.swap(Threads);
  }
  Work.notify_all();
  Watch.notify_all();
  ring(0x7fffffff);
  // A callback that waits for a call of its own ends when that is served, and
  // the pollers may be gone.
  auto callsItself = [this] {
    std::lock_guard Guard(Mutex);
    for (auto &W : Workers)
      if (W->Calls.load() && W->inCallback())
        return true;
    return false;
  };
  for (timespec Nap = {0, 1'000}; Live.load();) {
    if (callsItself() && serveHere())
      continue;
    nanosleep(&Nap, nullptr);
    Nap.tv_nsec = Nap.tv_nsec < 500'000 ? Nap.tv_nsec * 2 : Nap.tv_nsec;
  }
  for (std::thread &T : Ending)
    T.join();
  Workers.clear();
  Running = false;
}
