// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_PROFILE_H
#define XCC_TEST_SIMULATOR_AMDGCN_PROFILE_H

#include "instruction.h"
#include "test/simulator/common/line_profile.h"

#include <memory>
#include <unordered_map>

namespace amdgcn {

class Program;

/// Of one launch.
class Profile {
public:
  /// Null unless one of the variables is set.
  static std::unique_ptr<Profile> start();
  /// A wave begins an instruction, with these lanes active.
  void begin(const Instruction &i, uint64_t lanes) {
    simulator::Counts &c = counts[&i];
    ++c.executed;
    c.lanes += unsigned(__builtin_popcountll(lanes));
  }
  /// Adds all of it to the process's counts.
  void finish(Program &p, const std::string &kernel, unsigned width);

private:
  std::unordered_map<const Instruction *, simulator::Counts> counts;
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_PROFILE_H
