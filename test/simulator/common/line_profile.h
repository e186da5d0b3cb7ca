// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulator counts for each launch; here the counts of the process come together
// and are told when it ends.

#ifndef XCC_TEST_SIMULATOR_LINE_PROFILE_H
#define XCC_TEST_SIMULATOR_LINE_PROFILE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace simulator {

/// Counts of one instruction, or of one source line.
struct Counts {
  uint64_t executed = 0;                         ///< by warps
  uint64_t lanes = 0;                            ///< that took part
  uint64_t requests = 0, sectors = 0, bytes = 0; ///< of device memory
  uint64_t shared = 0, passes = 0; ///< accesses of shared memory, and how many
                                   ///< passes over the banks they took

  Counts &operator+=(const Counts &);
};

/// A file and a line, or the text of code that has none.
using Place = std::pair<std::string, int>;

/// Whether one of the variables is set.
bool countsLines();

struct LaunchCounts {
  std::string kernel; ///< the symbol
  unsigned width = 0; ///< lanes of a warp
  std::map<Place, Counts> lines;
  /// Lines of the source that the program's device code has.
  std::set<Place> known;
  /// Of each of them that ran, the lanes of the instruction that ran most often.
  std::map<Place, uint64_t> covered;
};
void addLaunch(const LaunchCounts &of);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_LINE_PROFILE_H
