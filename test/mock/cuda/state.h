// What the mock driver remembers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_MOCK_CUDA_STATE_H
#define XCC_TEST_MOCK_CUDA_STATE_H

#include "mock_cuda.h"
#include "src/cuda/driver.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace xcc::rt::cuda {

// What the handles point to.
struct ContextObject {
  int Number;
  int Major, Minor;
  bool Retained = false;
  std::set<int> Peers;      ///< whose memory it may reach
  size_t StackLimit = 1024; ///< bytes of each thread
};
struct ModuleObject {
  ContextObject *In;
  std::string Data;
  bool Text; ///< PTX or the tests' own format; else an ELF file
  std::map<std::string, Address> Variables = {}; ///< those asked for
  std::shared_ptr<void> Code = nullptr;          ///< the engine's
};
struct FunctionObject {
  ModuleObject *Of;
  std::string Symbol;
  int DynamicAllowed = 48 * 1024;
};
struct StreamObject {
  ContextObject *In;
};
/// One record of an event; waiting for it outlasts the event.
class EventMark {
public:
  void reach();
  void wait() {
    std::unique_lock Lock(Mutex);
    Reached.wait(Lock, [this] { return Time != 0; });
  }
  /// Nanoseconds; 0 before it is reached.
  uint64_t time() {
    std::lock_guard Lock(Mutex);
    return Time;
  }

private:
  std::mutex Mutex;
  std::condition_variable Reached;
  uint64_t Time = 0;
};
struct EventObject {
  ContextObject *In;
  std::shared_ptr<EventMark> Last = nullptr; ///< null when never recorded
};
struct MemoryPoolObject {
  int Number;
};

} // namespace xcc::rt::cuda

namespace mock {
using namespace xcc::rt::cuda;

struct Range {
  size_t Size;
  int Device;            ///< -1 for page-locked host memory
  std::string Of = {};   ///< the module's variable that it is
  bool Constant = false; ///< not to be written by kernels
};

struct Failure {
  std::string Function;
  int Countdown;
  Result Code;
};

struct State {
  std::recursive_mutex Mutex;
  int Version = 13000;
  bool Pools = true, Initialized = false;
  std::string LogFile;
  void *KernelLibrary = nullptr;
  std::vector<ContextObject> Devices;
  std::vector<std::string> Calls;
  std::map<std::string, size_t> Counts;
  std::vector<Failure> Failures;
  std::map<uintptr_t, Range> Memory;
  std::map<std::string, mock_kernel> Kernels;
  std::map<std::pair<std::string, int>, Address> Variables; ///< and device
  std::recursive_mutex Running; ///< held by the kernel that runs
  std::set<const void *> Live;  ///< modules, functions, streams, events
  int Shared = 0, Local = 0, MaxThreads = 1024;
  /// What running code left behind: every later call returns it.
  Result Fault = Success;
  std::atomic<bool> Quiet{false};
  bool Recording = true;
  /// Changes when ranges of memory come or go.
  std::atomic<uint64_t> MemoryVersion{1};
};

State &state();
extern thread_local ContextObject *Current;

/// The largest allocation there is memory for.
constexpr size_t TotalMemory = size_t(1) << 30;

/// A handle the mock gave and has not taken back?
inline bool isLive(const void *Handle) { return state().Live.count(Handle); }

/// Does that many bytes from there lie in one allocation?
bool isWithin(Address A, size_t Size, Range *Found = nullptr);

template <class T> void print(std::ostream &Out, const T &Value) {
  if constexpr (std::is_same_v<T, const char *>)
    Out << Value;
  else if constexpr (std::is_pointer_v<T>)
    Out << (Value ? "&" : "0"); // addresses differ from run to run
  else if constexpr (std::is_enum_v<T>)
    Out << int(Value);
  else if constexpr (sizeof(T) == 1)
    Out << unsigned(Value);
  else if (uint64_t(Value) > 0xffff'ffff)
    Out << "&";
  else
    Out << Value;
}

/// Records the call; what was to be returned instead, if anything.
Result begin(const char *Name, const std::string &Line);

/// What every entry point does around its own work.
template <class Body, class... Args>
Result call(const char *Name, Body Work, const Args &...Arguments) {
  State &S = state();
  if (S.Quiet.load(std::memory_order_relaxed))
    return Work(S);
  std::lock_guard Lock(S.Mutex);
  if (!S.Recording)
    return Work(S);
  std::ostringstream Line;
  Line << Name << '(';
  const char *Between = "";
  ((Line << Between, print(Line, Arguments), Between = ", "), ...);
  Line << ')';
  if (Result R = begin(Name, Line.str()))
    return R;
  return Work(S);
}

/// The same for entry points that need a current context that works.
template <class Body, class... Args>
Result callInContext(const char *Name, Body Work, const Args &...Arguments) {
  return call(
      Name,
      [&](State &S) {
        if (!Current)
          return InvalidContext;
        return S.Fault ? S.Fault : Work(S);
      },
      Arguments...);
}

} // namespace mock
#endif // XCC_TEST_MOCK_CUDA_STATE_H
