// Checks or times kernels on the default device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     suite list               the kernels' names
//     suite device             what the device calls itself
//     suite check [NAME...]    small problems, against plain loops on the host
//     suite time [NAME...]     NAME MILLISECONDS BYTES for each; checks nothing
//
// Time is the best of several measurements between two events. BYTES is what
// a launch must move, 0 where bandwidth is not the point.

#include "case.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

static std::vector<CaseEntry> allCases() {
  std::vector<CaseEntry> all;
  for (auto cases : {denseCases, gridCases, collectiveCases, numericCases,
                     integerCases, searchCases})
    for (const CaseEntry &entry : cases())
      all.push_back(entry);
  return all;
}

static bool check(const CaseEntry &entry) {
  Case c = entry.make(Size::Check);
  c.launch();
  const std::string wrong = c.check();
  std::printf("%-22s%s\n", entry.name,
              wrong.empty() ? "right" : ("WRONG: " + wrong).c_str());
  return wrong.empty();
}

/// The fastest of 15 batches, each long enough that an event's cost is small.
static void measure(const CaseEntry &entry) {
  Case c = entry.make(Size::Time);
  c.launch();
  const double once = std::max(1e-3, device::time(1, c.launch));
  const int times = std::clamp(int(10 / once), 1, 1000);
  double best = device::time(times, c.launch);
  for (int batch = 1; batch < 15; ++batch)
    best = std::min(best, device::time(times, c.launch));
  std::printf("%s %.6f %.0f\n", entry.name, best / times, c.bytes);
  std::fflush(stdout);
}

static int run(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<CaseEntry> chosen;
  for (int i = 2; i < argc; ++i) {
    for (const CaseEntry &entry : allCases())
      if (std::strcmp(entry.name, argv[i]) == 0)
        chosen.push_back(entry);
    if (chosen.size() != std::size_t(i - 1)) {
      std::fprintf(stderr, "no kernel '%s'; '%s list' names them\n", argv[i],
                   argv[0]);
      return 2;
    }
  }
  if (chosen.empty())
    chosen = allCases();

  bool right = true;
  if (what == "list")
    for (const CaseEntry &entry : allCases())
      std::puts(entry.name);
  else if (what == "device")
    std::puts(device::name());
  else if (what == "check")
    for (const CaseEntry &entry : chosen)
      right &= check(entry);
  else if (what == "time")
    for (const CaseEntry &entry : chosen)
      measure(entry);
  else {
    std::fprintf(stderr, "usage: %s list|device|check|time [NAME...]\n",
                 argv[0]);
    return 2;
  }
  return right ? 0 : 1;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
    return 1;
  }
}
