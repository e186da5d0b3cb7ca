// Inside the mock HSA runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_MOCK_HSA_STATE_H
#define XCC_TEST_MOCK_HSA_STATE_H

#include "mock_hsa.h"
#include "src/hsa/driver.h"

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

/// What a handle of a signal points to.
struct MockSignal {
  std::atomic<int64_t> Value{0};
  uint64_t Begin = 0, End = 0; ///< of the packet that completed it
  /// Producers ring a queue's doorbell in any order; the highest index counts.
  bool Doorbell = false;
};

struct MockKernel {
  std::string Symbol;
  uint32_t Kernarg = 0, Group = 0, Private = 0;
  bool DynamicStack = false;
  void *Variable = nullptr; ///< not a kernel: where it is, of Kernarg bytes
  uint64_t Value = 0;       ///< of its symbol in the code object
  void *Code = nullptr;     ///< what the execution placed
};

struct GpuAgent {
  std::string Target;
};

/// Memory from a pool.
struct Block {
  size_t Bytes;
  uint64_t PoolHandle;
  std::vector<uint64_t> Agents; ///< that may see it
  bool ReadOnly = false;        ///< to device code
};

/// Somebody who wants to hear of a signal.
struct Listener {
  SignalRef On;
  Condition How;
  int64_t Value;
  SignalHandler Handler;
  void *Data;
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
  std::mutex Mutex; ///< guards all that follows
  /// Any signal, queue or pause changed.
  std::condition_variable Changed;
  int Users = 0; ///< hsa_init less hsa_shut_down
  std::vector<GpuAgent> Gpus;
  uint32_t QueueSize = 1024;
  bool Peers = true;
  void *Bodies = nullptr; ///< dlopen's
  std::map<std::string, mock_body> OwnBodies;
  std::map<uintptr_t, Block> Memory;
  /// Counts changes of Memory and Locked; written with the mutex held.
  std::atomic<uint64_t> MemoryVersion{0};
  std::map<uintptr_t, size_t> Locked;
  std::map<std::pair<std::string, int>, void *> Variables; ///< and GPU
  std::vector<Listener> Listeners;
  bool Listening = false; ///< there is a thread for them
  std::vector<mock_record> Records;
  std::string Violation;
  bool Paused = false, ReadLate = false;
  unsigned FailDispatch = 0, FaultDispatch = 0, FailCopy = 0; ///< countdowns
  Status DispatchStatus = StatusSuccess;
  SystemEvent Fault{};
  SystemEventHandler EventHandler = nullptr;
  void *EventData = nullptr;
};
State &state();

/// Counts the call; the status that a test wants of it, or success.
Status injected(const char *Function);
void readInjections(const char *List);
#define MOCK_CALL(name)                                                        \
  if (Status Injected = mock::injected(#name))                                 \
  return Injected

/// Remembers the first broken rule. The state's mutex is not held.
[[gnu::format(printf, 1, 2)]] void violated(const char *Format, ...);

bool isGpu(Agent A);
/// The allocation that holds the range; null when none does. Mutex held.
const Block *find(const void *Address, size_t Bytes);

} // namespace mock
#endif // XCC_TEST_MOCK_HSA_STATE_H
