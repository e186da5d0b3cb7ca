// Internals of libxcc-rpc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server is the protocol's serving side with threads:
//
//   pollers   look for calls and run their callbacks
//   monitor   sleeps while there are no calls; otherwise it checks every few
//             milliseconds for pollers that are held up in a callback, and
//             makes another thread poll instead; a callback that makes a call
//             itself announces that at once (willWait)
//
// Callbacks run without a lock. The mutex guards the threads and the list of
// callbacks that wait for their clients. A call that is answered at once takes
// no lock.

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
  xcc_rpc_callback function = nullptr;
  void *user = nullptr;
};

/// Callbacks by opcode.
class Registry {
public:
  xcc_rpc_status add(Opcode op, Handler h);
  xcc_rpc_status remove(Opcode op);
  bool find(Opcode op, Handler &h);
  void clear();
  /// Changes with each change of the registry, so that lookups can be cached.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }

  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

  static Registry &global();

private:
  std::mutex mutex;
  std::unordered_map<Opcode, Handler> handlers;
  std::atomic<uint64_t> version_{0};
};

/// Counts servers; fails if the library is not initialised.
xcc_rpc_status addServer();
void removeServer();

/// A number that differs between a process and its forked children. Objects
/// with threads or a lease belong to one generation.
uint32_t generation();

/// A serving thread, or the state of one xcc_rpc_server_handle.
struct Worker {
  uint32_t nextWord = 0; ///< where the next search begins, for fairness
  // The last opcode that was looked up
  uint64_t versions[2] = {~uint64_t(0), ~uint64_t(0)};
  Opcode last = 0;
  Handler lastHandler;
  /// Odd while in a callback.
  std::atomic<uint64_t> beat{0};
  /// Set by the monitor: the callback takes long, so another thread polls.
  std::atomic<bool> blockedInCallback{false};
  /// The callback waits for a call that it made itself.
  std::atomic<bool> calls{false};
  uint64_t seenBeat = 0;
  bool polls = false;    ///< under mutex
  bool ownThread = true; ///< false for xcc_rpc_server_handle
  unsigned slow = 0;     ///< how often spinning was in vain

  bool inCallback() const { return beat.load() & 1; }
};

/// The calls that a thread is serving. A callback may serve further calls; the
/// list begins with the innermost.
struct Serving {
  xcc_rpc_server *server;
  Worker *on;
  Serving *outer;

  Serving(xcc_rpc_server *server, Worker *on)
      : server(server), on(on), outer(innermost) {
    innermost = this;
  }
  ~Serving() { innermost = outer; }
  Serving(const Serving &) = delete;

  static thread_local Serving *innermost;
};

} // namespace xcc::rpc

/// A call being served.
struct xcc_rpc_port {
  xcc_rpc_server *server;
  xcc::rpc::Worker *on;
  xcc::rpc::Opcode op = 0;
  xcc::rpc::Call c;
  xcc_rpc_status failed = XCC_RPC_SUCCESS;
  bool touched = false; ///< the callback has received or sent
  std::atomic<bool> cut{false};
  // Links of the server's list of waiting calls; guarded by its mutex.
  xcc_rpc_port *previous = nullptr, *next = nullptr;
  int64_t waitsSince = 0; ///< in milliseconds, as from now()
  xcc::rpc::Packet packets[xcc::rpc::MaxLanes];

  /// Waits until it is the server's turn.
  xcc_rpc_status await();
  /// Hands the port to the client.
  void hand(xcc::rpc::Answer status);
  xcc_rpc_status fail(xcc_rpc_status status);
  xcc_rpc_status receive();
  xcc_rpc_status send();

private:
  bool look();
  xcc_rpc_status awaitSlowly();
};

struct xcc_rpc_server {
  xcc_rpc_server_options options;
  xcc::rpc::Server<> protocol;
  std::unique_ptr<uint32_t[]> privateWords;
  void *memory = nullptr;
  bool ownsMemory = false;
  xcc::rpc::Registry registered;
  bool clientsWake = false, shared = false;
  const uint32_t generation = xcc::rpc::generation();

  // callbacks.cpp
  /// Serves pending calls and returns their number.
  uint32_t serve(xcc::rpc::Worker &w);
  /// The same on a thread that is not one of the server's.
  uint32_t serveHere();
  void dispatch(xcc::rpc::Worker &w, uint32_t port);
  bool find(xcc::rpc::Worker &w, xcc::rpc::Opcode op, xcc::rpc::Handler &h);
  bool anyPending() const;
  void drain();
  /// Whether this thread is in a callback of this server.
  bool servesHere() const;
  bool forked() const { return generation != xcc::rpc::generation(); }

  // threads.cpp
  xcc_rpc_status start();
  xcc_rpc_status reset();
  void stop();
  bool willWait(xcc::rpc::Worker &w);
  void ring(uint32_t threads);
  void noticeWork();
  std::atomic<bool> stopping{false};
  std::atomic<uint32_t> inFlight{0};
  std::atomic<uint32_t> asleep{0}; ///< pollers that sleep on the doorbell
  /// The time, as from now(), after which no callback may wait for its client.
  std::atomic<int64_t> deadline{INT64_MAX};

  // reclaim.cpp
  uint32_t reclaim();
  bool gone(uint32_t word) const {
    return gone_[word].load(std::memory_order_relaxed);
  }

  std::mutex mutex;
  xcc_rpc_port *waiting = nullptr; ///< longest wait first
  xcc_rpc_port *lastWaiting = nullptr;
  std::atomic<uint32_t> handling{0};

private:
  void run(xcc::rpc::Worker &w);
  void poll(xcc::rpc::Worker &w);
  void rest(xcc::rpc::Worker &w, uint32_t &idle);
  void monitor();
  bool examine();
  void cutLongest();
  bool addThread();
  template <class Fn> void startThread(Fn body);
  bool othersServe(xcc::rpc::Worker &w);
  void stopThreads();

  std::mutex startStop; ///< taken before mutex
  std::condition_variable work, watch;
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<xcc::rpc::Worker>> workers;
  uint32_t pollers = 0, blockedInCallback = 0, unused = 0;
  bool running = false;
  std::atomic<uint32_t> live{0}; ///< serving threads that have not ended
  std::atomic<bool> ticking{false};
  std::mutex reclaimMutex;
  std::atomic<bool> gone_[xcc::rpc::MaxPorts / xcc::rpc::PortsPerWord] = {};
};

namespace xcc::rpc {
/// The time of a monotonic clock, in milliseconds.
int64_t now();
} // namespace xcc::rpc

#endif // XCC_RPC_SRC_SERVER_H
