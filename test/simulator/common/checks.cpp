// What XCC_SIM_CHECK asks for, and what was found
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checks.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace simulator {

namespace {

struct Checks {
  bool wanted = false, races = false, init = false;
};

Checks read() {
  const char *text = getenv("XCC_SIM_CHECK");
  Checks checks;
  if (!text || !*text)
    return checks;
  checks.wanted = true;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const bool all = word == "all";
    checks.races |= all || word == "races";
    checks.init |= all || word == "init";
    if (!all && word != "races" && word != "init" && word != "memory" &&
        word != "sync") {
      fprintf(stderr,
              "simulator: XCC_SIM_CHECK=%s: memory, races, init, sync or all "
              "was expected\n",
              text);
      _exit(2);
    }
  }
  return checks;
}

const Checks &checks() {
  static const Checks all = read();
  return all;
}

std::atomic<unsigned> findings{0};
std::atomic<void (*)()> told{nullptr};
std::atomic<int> status{0}; ///< that the process ends with

/// The runtime's own handler, which finishes all devices, runs before this one.
void onExit(int code, void *) {
  status = code;
  if (auto tell = told.load())
    tell();
  if (const unsigned found = findings; found && checks().wanted)
    fprintf(stderr, "simulator: XCC_SIM_CHECK found %u fault%s\n", found,
            found == 1 ? "" : "s");
}

__attribute__((constructor)) void begin() { on_exit(onExit, nullptr); }

/// The status changes once all simulators of the process have told: libraries are
/// finished after all handlers of the exit.
__attribute__((destructor)) void end() {
  if (!findings || !checks().wanted || status)
    return;
  fflush(nullptr);
  _exit(1);
}

} // namespace

bool checksRaces() { return checks().races; }

bool checksInit() { return checks().init; }

void countFinding() { ++findings; }

void tellAtEnd(void (*tell)()) { told = tell; }

} // namespace simulator
