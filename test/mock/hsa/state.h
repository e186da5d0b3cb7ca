// Inside the mock HSA runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_MOCK_HSA_STATE_H
#define XCC_TEST_MOCK_HSA_STATE_H

#include "hsa/driver/driver.h"
#include "mock_hsa.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

// The mock implements the table that the runtime resolves, with its types: an
// entry that is missing here does not link.
extern "C" {
using namespace xcc::rt::hsa;
#define XCC_MOCK_DECLARE(kind, name, result, parameters)                       \
  __attribute__((visibility("default"))) result hsa_##name parameters;
XCC_HSA_FUNCTIONS(XCC_MOCK_DECLARE)
#undef XCC_MOCK_DECLARE
}

#define MOCK_EXPORT extern "C" __attribute__((visibility("default")))

namespace mock {

using namespace xcc::rt;

/// The clock of time stamps.
inline uint64_t mockNow() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                  std::chrono::nanoseconds(1));
}

/// What a handle of a signal points to.
struct MockSignal {
  std::atomic<int64_t> value{0};
  uint64_t begin = 0, end = 0; ///< of the packet that completed it
  /// Producers ring a queue's doorbell in any order; the highest index counts.
  bool doorbell = false;
  std::atomic<unsigned> looks{0}; ///< how often it was not yet what was wanted
  /// What changes it next may begin already (lateness.h). Under the mutex.
  bool wanted = false;
};

struct MockKernel {
  std::string symbol;
  uint32_t kernarg = 0, group = 0, privateSize = 0;
  bool dynamicStack = false;
  void *variable = nullptr; ///< not a kernel: where it is, of kernarg bytes
  uint64_t value = 0;       ///< of its symbol in the code object
  void *code = nullptr;     ///< what the execution placed
};

struct GpuAgent {
  std::string target;
};

/// Memory from a pool.
struct Block {
  size_t bytes;
  uint64_t poolHandle;
  std::vector<uint64_t> agents; ///< that may see it
  bool readOnly = false;        ///< to device code
};

/// Somebody who wants to hear of a signal.
struct Listener {
  SignalRef on;
  Condition how;
  int64_t value;
  SignalHandler handler;
  void *data;
};

/// Handles: agent 1 is the host, 100 + n the n-th GPU; a pool is its agent
/// times 10 and a PoolNumber.
enum : uint64_t { HostAgent = 1, FirstGpu = 100 };
enum PoolNumber : uint64_t {
  FineNumber,
  KernargNumber,
  CoarseNumber,
  LdsNumber
};
constexpr uint32_t LdsBytes = 64 * 1024;
constexpr size_t GpuBytes = size_t(1) << 36;

struct State {
  std::mutex mutex; ///< guards all that follows
  /// Any signal, queue or pause changed.
  std::condition_variable changed;
  int users = 0;      ///< hsa_init less hsa_shut_down
  std::string agents; ///< the GPUs' names; empty: those of MOCK_HSA_AGENTS
  std::vector<GpuAgent> gpus;
  uint32_t queueSize = 1024;
  bool peers = true;
  void *bodies = nullptr; ///< dlopen's
  std::map<std::string, mock_body> ownBodies;
  std::map<uintptr_t, Block> memory;
  /// Counts changes of memory and locked; written with the mutex held.
  std::atomic<uint64_t> memoryVersion{0};
  std::map<uintptr_t, size_t> locked;
  std::atomic<size_t> additions{0}, rings{0}; ///< of and for queues' places
  std::map<std::pair<std::string, int>, void *> variables; ///< and GPU
  std::vector<Listener> listeners;
  bool listening = false; ///< there is a thread for them
  std::vector<mock_record> records;
  std::string violation;
  bool paused = false, readLate = false;
  unsigned failDispatch = 0, faultDispatch = 0, failCopy = 0; ///< countdowns
  Status dispatchStatus = StatusSuccess;
  SystemEvent fault{};
  SystemEventHandler eventHandler = nullptr;
  void *eventData = nullptr;
};
State &state();

/// Counts the call; the status that a test wants of it, or success.
Status injected(const char *function);
void readInjections(const char *list);
#define MOCK_CALL(name)                                                        \
  if (Status failure = mock::injected(#name))                                  \
  return failure

/// Remembers the first broken rule. The state's mutex is not held.
[[gnu::format(printf, 1, 2)]] void violated(const char *format, ...);

// Work that may begin later (lateness.h). The state's mutex is held.

/// Somebody waits for a signal: what completes it may begin.
void want(uint64_t signal);
/// The same for what copy engines do; false when none of them completes it.
bool wantCopy(uint64_t signal);
/// All copies may begin.
void wantAllCopies();
/// A while has passed. True when there are copies that nobody has asked for.
bool tickCopies();
/// Looks now and then after packets and copies that nobody asks for.
void watchQueues();

bool isGpu(Agent a);
/// The allocation that holds the range; null when none does. Mutex held.
const Block *find(const void *address, size_t bytes);

} // namespace mock
#endif // XCC_TEST_MOCK_HSA_STATE_H
