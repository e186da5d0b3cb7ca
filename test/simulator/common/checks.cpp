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
  bool wanted = false, races = false;
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
    if (word == "races" || word == "all") {
      checks.races = true;
    } else if (word != "memory" && word != "sync") {
      fprintf(stderr,
              "simulator: XCC_SIM_CHECK=%s: memory, races, sync or all was "
              "expected\n",
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

/// Runs when the library is finished: after the program's own handlers.
struct Summary {
  Summary() {
    on_exit([](int code, void *) { status = code; }, nullptr);
  }
  ~Summary() {
    if (auto tell = told.load())
      tell();
    const unsigned found = findings;
    if (!found || !checks().wanted)
      return;
    fprintf(stderr, "simulator: XCC_SIM_CHECK found %u fault%s\n", found,
            found == 1 ? "" : "s");
    if (status)
      return;
    fflush(nullptr);
    _exit(1);
  }
};
Summary summary;

} // namespace

bool checksRaces() { return checks().races; }

void countFinding() { ++findings; }

void tellAtEnd(void (*tell)()) { told = tell; }

} // namespace simulator
