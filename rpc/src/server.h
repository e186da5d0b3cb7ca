// Inside libxcc-rpc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server is the protocol's server side with threads around it:
//
//   pollers   look for calls and run their callbacks
//   monitor   sleeps while nothing happens; while calls are made it looks every
//             few milliseconds for pollers that are held up in a callback, and
//             has another thread poll instead; a callback that makes a call
//             itself says so at once (willWait)
//
// Callbacks run with no lock held. Mutex guards the threads and the list of
// callbacks that wait for their clients; neither is touched by a call that is
// answered at once.

#ifndef XCC_RPC_SRC_SERVER_H
#define XCC_RPC_SRC_SERVER_H

#include "../server.h"
#include "xcc/rpc.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace xcc::rpc {

struct Handler {
  xcc_rpc_callback Function = nullptr;
  void *User = nullptr;
};

/// Callbacks by opcode.
class Registry {
public:
  xcc_rpc_status add(Opcode Op, Handler H);
  xcc_rpc_status remove(Opcode Op);
  bool find(Opcode Op, Handler &H);
  void clear();
  /// Changes with every change, so that finds can be remembered.
  uint64_t version() const { return Version.load(std::memory_order_acquire); }

  void lock() { Mutex.lock(); }
  void unlock() { Mutex.unlock(); }

  static Registry &global();

private:
  std::mutex Mutex;
  std::unordered_map<Opcode, Handler> Handlers;
  std::atomic<uint64_t> Version{0};
};

/// Is the library initialised, and for how many servers?
xcc_rpc_status addServer();
void removeServer();

/// Which process of those that forked from one another this is, for what has
/// threads or a lease in one of them.
uint32_t generation();

/// A thread that serves; or the state of one xcc_rpc_server_handle.
struct Worker {
  uint32_t NextWord = 0; ///< fairness: where the next search begins
  // The last opcode looked up.
  uint64_t Versions[2] = {~uint64_t(0), ~uint64_t(0)};
  Opcode Last = 0;
  Handler LastHandler;
  /// Odd while in a callback.
  std::atomic<uint64_t> Beat{0};
  /// The monitor's: the callback takes long, somebody else polls.
  std::atomic<bool> HeldUp{false};
  /// Its callback waits for a call that it has made itself.
  std::atomic<bool> Calls{false};
  uint64_t SeenBeat = 0;
  bool Polls = false;    ///< under Mutex
  bool OwnThread = true; ///< false for xcc_rpc_server_handle
  unsigned Slow = 0;     ///< how often spinning was in vain

  bool inCallback() const { return Beat.load() & 1; }
};

/// What a thread is serving; the innermost, where a callback serves again.
struct Serving {
  xcc_rpc_server *Server;
  Worker *On;
  Serving *Outer;

  Serving(xcc_rpc_server *Server, Worker *On)
      : Server(Server), On(On), Outer(Innermost) {
    Innermost = this;
  }
  ~Serving() { Innermost = Outer; }
  Serving(const Serving &) = delete;

  static thread_local Serving *Innermost;
};

} // namespace xcc::rpc

/// A call being served.
struct xcc_rpc_port {
  xcc_rpc_server *Server;
  xcc::rpc::Worker *On;
  xcc::rpc::Opcode Op = 0;
  xcc::rpc::Call C;
  xcc_rpc_status Failed = XCC_RPC_SUCCESS;
  bool Touched = false; ///< has received or sent
  std::atomic<bool> Cut{false};
  // In the server's list while it waits for the client; under Mutex.
  xcc_rpc_port *Previous = nullptr, *Next = nullptr;
  int64_t WaitsSince = 0; ///< milliseconds
  xcc::rpc::Packet Packets[xcc::rpc::MaxLanes];

  /// Until it is the server's turn.
  xcc_rpc_status await();
  /// The client's turn.
  void hand(xcc::rpc::Answer Status);
  xcc_rpc_status fail(xcc_rpc_status Status);
  xcc_rpc_status receive();
  xcc_rpc_status send();

private:
  bool look();
  xcc_rpc_status awaitSlowly();
};

struct xcc_rpc_server {
  xcc_rpc_server_options Options;
  xcc::rpc::Server<> Protocol;
  std::unique_ptr<uint32_t[]> Private;
  void *Memory = nullptr;
  bool OwnsMemory = false;
  xcc::rpc::Registry Registered;
  bool ClientsWake = false, Shared = false;
  const uint32_t Generation = xcc::rpc::generation();

  // serve.cpp
  /// Serves what is pending; how many calls that was.
  uint32_t serve(xcc::rpc::Worker &W);
  /// The same on a thread that is not the server's.
  uint32_t serveHere();
  void dispatch(xcc::rpc::Worker &W, uint32_t Port);
  bool find(xcc::rpc::Worker &W, xcc::rpc::Opcode Op, xcc::rpc::Handler &H);
  bool anyPending() const;
  void drain();
  /// Is this thread in a callback of this server?
  bool servesHere() const;
  bool forked() const { return Generation != xcc::rpc::generation(); }

  // threads.cpp
  xcc_rpc_status start();
  xcc_rpc_status reset();
  void stop();
  bool willWait(xcc::rpc::Worker &W);
  void ring(uint32_t Threads);
  void noticeWork();
  std::atomic<bool> Stopping{false};
  std::atomic<uint32_t> InFlight{0};
  std::atomic<uint32_t> Asleep{0}; ///< pollers on the doorbell
  /// When no callback may wait for its client any longer, in now()'s time.
  std::atomic<int64_t> Deadline{INT64_MAX};

  // reclaim.cpp
  uint32_t reclaim();
  bool dead(uint32_t Word) const {
    return Dead[Word].load(std::memory_order_relaxed);
  }

  std::mutex Mutex;
  xcc_rpc_port *Waiting = nullptr; ///< the longest-waiting first
  xcc_rpc_port *LastWaiting = nullptr;
  std::atomic<uint32_t> Handling{0};

private:
  void run(xcc::rpc::Worker &W);
  void poll(xcc::rpc::Worker &W);
  void rest(xcc::rpc::Worker &W, uint32_t &Idle);
  void monitor();
  bool examine();
  void cutLongest();
  bool addThread();
  template <class Fn> void startThread(Fn Body);
  bool othersServe(xcc::rpc::Worker &W);
  void stopThreads();

  std::mutex StartStop; ///< taken before Mutex
  std::condition_variable Work, Watch;
  std::vector<std::thread> Threads;
  std::vector<std::unique_ptr<xcc::rpc::Worker>> Workers;
  uint32_t Pollers = 0, HeldUp = 0, Unused = 0;
  bool Running = false;
  std::atomic<uint32_t> Live{0}; ///< threads that serve and have not ended
  std::atomic<bool> Ticking{false};
  std::mutex ReclaimMutex;
  std::atomic<bool> Dead[xcc::rpc::MaxPorts / xcc::rpc::PortsPerWord] = {};
};

namespace xcc::rpc {
/// Milliseconds of a clock that only goes forward.
int64_t now();
} // namespace xcc::rpc

#endif // XCC_RPC_SRC_SERVER_H
