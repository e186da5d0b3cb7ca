// What XCC_SIM_CHECK asks for
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
  bool wanted = false, memory = false, races = false, init = false;
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
    checks.memory |= all || word == "memory";
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

std::atomic<void (*)()> told{nullptr};

} // namespace

bool checksRaces() { return checks().races; }

bool checksMemory() { return checks().memory; }

bool checksInit() { return checks().init; }

bool checksWanted() { return checks().wanted; }

void tellAtEnd(void (*tell)()) { told = tell; }

void finishChecks() {
  if (auto tell = told.load())
    tell();
}

} // namespace simulator
