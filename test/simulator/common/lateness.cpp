// When the work of streams and queues begins: XCC_SIM_STREAMS
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/mock/lateness.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>

namespace mock {
namespace {

struct Settings {
  std::atomic<Begins> begins{Begins::Late};
  std::mutex mutex; ///< of what follows
  std::mt19937_64 dice;
};

/// False for a text that says nothing.
bool parse(const std::string &text, Settings &out) {
  if (text == "early") {
    out.begins = Begins::AtOnce;
  } else if (text == "late") {
    out.begins = Begins::Late;
  } else if (text == "latest") {
    out.begins = Begins::Latest;
  } else if (text.starts_with("random:") && text.size() > 7) {
    char *end;
    const uint64_t seed = strtoull(text.c_str() + 7, &end, 10);
    if (*end)
      return false;
    std::lock_guard lock(out.mutex);
    out.dice.seed(seed);
    out.begins = Begins::Seeded;
  } else {
    return false;
  }
  return true;
}

Settings &settings() {
  static Settings &all = []() -> Settings & {
    auto *s = new Settings;
    if (const char *text = getenv("XCC_SIM_STREAMS");
        text && !parse(text, *s)) {
      fprintf(stderr,
              "simulator: XCC_SIM_STREAMS=%s: early, late, latest or "
              "random:SEED was expected\n",
              text);
      _exit(2);
    }
    return *s;
  }();
  return all;
}

/// Calls somebody now and then, for as long as that is of use.
class Watch {
public:
  explicit Watch(bool (*tick)()) : tick(tick) {
    std::thread([this] { run(); }).detach(); // lives as long as the process
  }
  void wake() {
    if (awake.load())
      return;
    std::lock_guard lock(mutex);
    awake = true;
    woken.notify_one();
  }

private:
  void run() {
    // Work begins after one to two of these.
    constexpr std::chrono::milliseconds period(10);
    while (true) {
      std::unique_lock lock(mutex);
      woken.wait(lock, [this] { return awake.load(); });
      lock.unlock();
      while (awake) {
        std::this_thread::sleep_for(period);
        if (tick())
          continue;
        // What is put in from here on wakes us, or is seen by the second look.
        awake = false;
        if (tick())
          awake = true;
      }
    }
  }
  bool (*const tick)();
  std::atomic<bool> awake{false};
  std::mutex mutex;
  std::condition_variable woken;
};

} // namespace

Begins workBegins() {
  return settings().begins.load(std::memory_order_relaxed);
}

unsigned throwDice(unsigned n) {
  Settings &s = settings();
  if (s.begins != Begins::Seeded)
    return 0;
  std::lock_guard lock(s.mutex);
  return unsigned(s.dice() % n);
}

void watchPending(bool (*tick)()) {
  if (workBegins() == Begins::Latest)
    return;
  static Watch &watch = *new Watch(tick);
  watch.wake();
}

} // namespace mock

/// For tests: as XCC_SIM_STREAMS, for what is put in from now on.
extern "C" __attribute__((visibility("default"))) bool
simulator_streams(const char *text) {
  return mock::parse(text, mock::settings());
}
