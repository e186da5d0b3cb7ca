// What the mock driver remembers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_MOCK_CUDA_STATE_H
#define XCC_TEST_MOCK_CUDA_STATE_H

#include "cuda/driver/driver.h"
#include "mock_cuda.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
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
  int number;
  int major, minor;
  bool retained = false;
  std::set<int> peers;      ///< whose memory it may reach
  size_t stackLimit = 1024; ///< bytes of each thread
};
struct ModuleObject {
  ContextObject *in;
  std::string data;
  bool text; ///< PTX or the tests' own format; else an ELF file
  std::map<std::string, Address> variables = {}; ///< those asked for
  std::shared_ptr<void> code = nullptr;          ///< the engine's
};
struct FunctionObject {
  ModuleObject *of;
  std::string symbol;
  int dynamicAllowed = 48 * 1024;
};
struct StreamObject {
  ContextObject *in;
};
/// One record of an event; waiting for it outlasts the event.
class EventMark {
public:
  explicit EventMark(Stream in) : in(in) {}
  const Stream in;
  uint64_t position = 0; ///< how much of the stream there is up to it
  void reach();
  void wait() {
    std::unique_lock lock(mutex);
    reached.wait(lock, [this] { return time_ != 0; });
  }
  /// Nanoseconds; 0 before it is reached.
  uint64_t time() {
    std::lock_guard lock(mutex);
    return time_;
  }

private:
  std::mutex mutex;
  std::condition_variable reached;
  uint64_t time_ = 0;
};
struct EventObject {
  ContextObject *in;
  std::shared_ptr<EventMark> last = nullptr; ///< null when never recorded
};
struct MemoryPoolObject {
  uint64_t threshold = 0, reserved = 0;
};
/// What a stream captured, or an executable copy of that.
struct GraphObject {
  ContextObject *in;
  std::vector<std::function<Result(Stream)>> work = {};
};

} // namespace xcc::rt::cuda

namespace mock {
using namespace xcc::rt::cuda;

struct Range {
  size_t size = 0;
  int device = -1;         ///< -1 for page-locked host memory
  std::string of = {};     ///< the module's variable that it is
  bool constant = false;   ///< not to be written by kernels
  bool registered = false; ///< page-locked, and the program's
  bool pooled = false;     ///< allocated in a stream's order
  bool shared = false;     ///< the host may use it, too
};

struct Failure {
  std::string function;
  int countdown;
  Result code;
};

struct State {
  std::recursive_mutex mutex;
  int version = 13000;
  bool pools = true, pageable = false, managed = true, initialized = false;
  MemoryPoolObject pool; ///< of all devices
  std::string logFile;
  void *kernelLibrary = nullptr;
  std::vector<ContextObject> devices;
  std::vector<std::string> calls;
  std::map<std::string, size_t> counts;
  std::vector<Failure> failures;
  std::map<uintptr_t, Range> memory;
  std::map<std::string, mock_kernel> kernels;
  /// Offsets and sizes of kernels' parameters, as far as a test told them.
  std::map<std::string, std::vector<std::pair<size_t, size_t>>> parameters;
  std::map<std::pair<std::string, int>, Address> variables; ///< and device
  std::recursive_mutex running; ///< held by the kernel that runs
  std::set<const void *> live;  ///< modules, functions, streams, events
  std::vector<StreamObject *> destroyed; ///< which work may refer to still
  int shared = 0, local = 0, maxThreads = 1024;
  /// What running code left behind: every later call returns it.
  Result fault = Success;
  std::atomic<bool> quiet{false};
  bool recording = true;
  /// Changes when ranges of memory come or go.
  std::atomic<uint64_t> memoryVersion{1};
};

State &state();
extern thread_local ContextObject *current;

/// The largest allocation there is memory for.
constexpr size_t TotalMemory = size_t(1) << 30;

/// A handle the mock gave and has not taken back?
inline bool isLive(const void *handle) { return state().live.count(handle); }

/// Does that many bytes from there lie in one allocation?
bool isWithin(Address a, size_t size, Range *found = nullptr);

template <class T> void print(std::ostream &out, const T &value) {
  if constexpr (std::is_same_v<T, const char *>)
    out << value;
  else if constexpr (std::is_pointer_v<T>)
    out << (value ? "&" : "0"); // addresses differ from run to run
  else if constexpr (std::is_enum_v<T>)
    out << int(value);
  else if constexpr (sizeof(T) == 1)
    out << unsigned(value);
  else if (uint64_t(value) > 0xffff'ffff)
    out << "&";
  else
    out << value;
}

/// Records the call; what was to be returned instead, if anything.
Result begin(const char *name, const std::string &line);

/// What every entry point does around its own work.
template <class Body, class... Args>
Result call(const char *name, Body work, const Args &...arguments) {
  State &s = state();
  if (s.quiet.load(std::memory_order_relaxed))
    return work(s);
  std::lock_guard lock(s.mutex);
  if (!s.recording)
    return work(s);
  std::ostringstream line;
  line << name << '(';
  const char *between = "";
  ((line << between, print(line, arguments), between = ", "), ...);
  line << ')';
  if (Result r = begin(name, line.str()))
    return r;
  return work(s);
}

/// The same for entry points that need a current context that works.
template <class Body, class... Args>
Result callInContext(const char *name, Body work, const Args &...arguments) {
  return call(
      name,
      [&](State &s) {
        if (!current)
          return InvalidContext;
        return s.fault ? s.fault : work(s);
      },
      arguments...);
}

} // namespace mock
#endif // XCC_TEST_MOCK_CUDA_STATE_H
