// Host code of what runs often
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host_code.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <thread>

namespace simulator {

static void finishHostCode();

namespace {

/// Less is interpreted before the code could be there.
constexpr uint64_t Default = 5'000'000;

/// Where this library is, and a name of another one there; else that name.
std::string beside(const char *name) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&hotFrom), &info) || !info.dli_fname)
    return name;
  const std::string path = info.dli_fname;
  char *real = realpath(path.c_str(), nullptr);
  const std::string whole = real ? real : path;
  free(real);
  return whole.substr(0, whole.rfind('/') + 1) + name;
}

const LaneCompiler *openCompiler() {
  void *library =
      dlopen(beside("libxcc-sim-code.so.0").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  // LLVM's variables are destroyed when the process ends: handlers of the exit
  // that were added later run before that.
  atexit(finishHostCode);
  void *entry = dlsym(library, XCC_LANE_COMPILER);
  return entry ? reinterpret_cast<LaneCompilerEntry>(entry)(XCC_VERSION)
               : nullptr;
}
const LaneCompiler *compiler() {
  static const LaneCompiler *const is = openCompiler();
  return is;
}

} // namespace

namespace {
struct Hot {
  std::atomic<uint64_t> from{Default};
  std::atomic<bool> waits{false};
  std::atomic<uint64_t> made{0};
};
Hot &hot() {
  static Hot &is = []() -> Hot & {
    auto &fresh = *new Hot;
    if (const char *text = getenv("XCC_SIM_HOT"); text && *text) {
      fresh.from = strtoull(text, nullptr, 10);
      fresh.waits = true;
    }
    return fresh;
  }();
  return is;
}
} // namespace

uint64_t hotFrom() { return hot().from.load(std::memory_order_relaxed); }
bool waitsForHostCode() { return hot().waits; }

/// Makes one piece after the other.
class HostCodeMaker {
public:
  struct Job {
    HostCodeOwner *owner = nullptr;
    LaneCode code;
    std::function<void(HostCode)> done;
  };
  static HostCodeMaker &get() {
    static auto &only = *new HostCodeMaker;
    return only;
  }

  void add(Job job) {
    if (waitsForHostCode()) {
      std::lock_guard one(making);
      return make(job);
    }
    std::lock_guard lock(mutex);
    if (ending)
      return;
    if (!begun) {
      begun = true;
      std::thread([this] { work(); }).detach();
      atexit(finishHostCode);
    }
    jobs.push_back(std::move(job));
    changed.notify_all();
  }
  /// Whether its code may be released: LLVM is still there.
  bool forget(HostCodeOwner *owner) {
    std::unique_lock lock(mutex);
    std::erase_if(jobs, [=](const Job &j) { return j.owner == owner; });
    changed.wait(lock, [&] { return now != owner; });
    return !ending;
  }
  void end() {
    std::unique_lock lock(mutex);
    ending = true;
    changed.wait(lock, [this] { return !now; });
  }

private:
  static void make(Job &job) {
    const LaneCompiler *with = compiler();
    if (!with)
      return;
    void *kept = nullptr;
    std::string error;
    if (const HostCode code = with->compile(job.code, &kept, error)) {
      job.owner->kept.push_back(kept);
      ++hot().made;
      job.done(code);
    } else {
      fprintf(stderr, "simulator: no host code of %s: %s\n",
              job.code.name.c_str(), error.c_str());
    }
  }
  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return !jobs.empty() && !ending; });
      Job job = std::move(jobs.front());
      jobs.pop_front();
      now = job.owner;
      lock.unlock();
      make(job);
      lock.lock();
      now = nullptr;
      changed.notify_all();
    }
  }

  std::mutex mutex, making;
  std::condition_variable changed;
  std::deque<Job> jobs;
  HostCodeOwner *now = nullptr;
  bool begun = false, ending = false;
};

static void finishHostCode() { HostCodeMaker::get().end(); }

HostCodeOwner::~HostCodeOwner() {
  if (!used || !HostCodeMaker::get().forget(this))
    return;
  for (void *each : kept)
    compiler()->release(each);
}

void HostCodeOwner::make(LaneCode code, std::function<void(HostCode)> done) {
  used = true;
  HostCodeMaker::get().add({this, std::move(code), std::move(done)});
}

} // namespace simulator

/// For tests: as XCC_SIM_HOT says, from the next launch on. How many pieces of host
/// code there were up to now.
extern "C" __attribute__((visibility("default"))) uint64_t
simulator_hot(uint64_t from) {
  simulator::hot().from = from;
  simulator::hot().waits = true;
  return simulator::hot().made;
}
