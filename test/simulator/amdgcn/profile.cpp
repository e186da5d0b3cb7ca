// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profile.h"
#include "program.h"

#include <algorithm>

namespace amdgcn {

using simulator::Place;

std::unique_ptr<Profile> Profile::start() {
  return simulator::countsLines() ? std::make_unique<Profile>() : nullptr;
}

/// "a.cpp:12" in its parts.
static Place parts(const std::string &line) {
  const size_t colon = line.rfind(':');
  return {line.substr(0, colon), atoi(line.c_str() + colon + 1)};
}

void Profile::finish(Program &p, const std::string &kernel, unsigned width) {
  simulator::LaunchCounts all{kernel, width, {}, {}, {}};
  for (const auto &[instruction, c] : counts) {
    const std::string line = p.lineAt(instruction->pc);
    if (line.empty()) {
      all.lines[{"'" + instruction->text + "'",
                 int(instruction->pc & 0xffffff)}] += c;
      continue;
    }
    const Place place = parts(line);
    all.lines[place] += c;
    if (place.second)
      all.covered[place] = std::max(all.covered[place], c.lanes);
  }
  all.known = p.lines();
  simulator::addLaunch(all);
}

} // namespace amdgcn
